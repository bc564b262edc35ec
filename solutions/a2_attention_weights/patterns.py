"""What wrong attention weights prove, whatever came before the last two axes (query, key).

Every softmax over keys leaves two traces. Its rows sum to 1, and inside a row the weights of two tokens differ by the
exponential of the difference of their scores; taking logarithms gets the scores back, up to a shift of the row.
"""

import numpy as np

from autograder.records import Pattern

NEAR = 1e-3
#: Of a right answer nothing is smaller than this that has any say in a pattern.
VISIBLE = 1e-5
SCALED = (
    "Every row sums to 1 and next to nothing goes to the future, as it should. But all the scores behind these weights"
    " are off by one and the same factor."
)


def _wrong(cases):
    """(weights that came back, right ones, who may look) of each case that went wrong."""
    return [(c.got["result"], c.wanted["result"], c.inputs["may_look"]) for c in cases if not c.right]


def _every(fact):
    """Whether a fact about weights, right weights and mask shows in all wrong cases, and all their numbers are finite.

    Rows of NaN are nobody's weights, so nothing is read out of them.
    """

    def shows(cases):
        return all(
            weights.shape == right.shape
            and np.isfinite(weights).all()
            and not np.allclose(weights, right)
            and fact(weights, right, look)
            for weights, right, look in _wrong(cases)
        )

    return shows


def _one(sums):
    return np.allclose(sums, 1, NEAR, NEAR)


def _leaks(weights, look):
    return np.abs(weights[..., ~look]).max() > NEAR


def _whole(weights, look):
    return _one(weights.sum(-1)) and not _leaks(weights, look)


def _shut_out(weights, right):
    return ((right > 0.01) & (np.abs(weights) < 1e-6)).any()


def _centred_logs(weights, seen):
    """The logarithms of what is seen in each row, around 0; 0 elsewhere."""
    logs = np.log(np.where(seen, weights, 1))
    return np.where(seen, logs - logs.sum(-1, keepdims=True) / np.maximum(seen.sum(-1, keepdims=True), 1), 0)


def _factor(weights, right, look):
    """By which factor the scores behind the weights are too large; None where they are not all off by the same.

    Looks at allowed pairs only, row by row, so a row may have lost or gained as a whole.
    """
    seen = look & (right > VISIBLE) & (weights > VISIBLE)
    if not (weights[..., look] >= 0).all() or seen.sum() < 0.6 * np.broadcast_to(look, right.shape).sum():
        return None
    theirs, ours = _centred_logs(weights, seen), _centred_logs(right, seen)
    factor = float((theirs * ours).sum() / (ours**2).sum())
    noise = NEAR / np.where(seen, np.minimum(weights, right), 1)
    return factor if (np.abs(theirs - factor * ours) <= 1e-2 + noise * (1 + abs(factor)))[seen].all() else None


def _right_softmax_of_others(cases):
    """Every row is the softmax of the right scores, but over other tokens than it may see; rows of NaN tell nothing.

    A share is then 0, or stands to the largest of its row as the exponentials of their scores do.
    """
    for case in cases:
        if not case.right:
            rows = np.isfinite(case.got["result"]).all(-1)
            weights, right, scores = (each[rows] for each in (case.got["result"], case.wanted["result"], _scores(case)))
            top = weights.argmax(-1)[:, None]
            shares = np.exp(scores - np.take_along_axis(scores, top, -1)) * np.take_along_axis(weights, top, -1)
            fits = np.minimum(np.abs(weights - shares), np.abs(weights)) <= NEAR
            several = (weights > 10 * NEAR).sum(-1) > 1
            if not fits.all() or not _one(weights.sum(-1)) or 2 * several.sum() < len(several):
                return False
            if np.abs(weights - right).max() <= 10 * NEAR:
                return False
    return True


def _scores(case):
    """The right scores, of hidden pairs too, for every square of the case."""
    return np.broadcast_to(case.inputs["scores"], case.wanted["result"].shape)


def _finite_fill(cases):
    """Rows are whole and right among the allowed; the hidden ones weigh as one and the same score does in all rows."""
    for case in cases:
        if not case.right:
            ((weights, right, look),) = _wrong([case])
            factor = _factor(weights, right, look) if np.isfinite(weights).all() else None
            if factor is None or abs(factor - 1) > NEAR or not _one(weights.sum(-1)) or not (weights > 0).all():
                return False
            likely = np.where(look, right, 0).argmax(-1)[..., None]
            log_sums = np.take_along_axis(_scores(case) - np.log(weights), likely, -1)
            fills = (np.log(weights) + log_sums)[..., ~look]
            if np.ptp(fills) > 0.05:
                return False
    return True


def _mask_without_effect(weights, right, look):
    """Allowed tokens in the right proportions, the last row right altogether, the others not."""
    factor = _factor(weights, right, look)
    last_right = np.allclose(weights[..., -1, :], right[..., -1, :], NEAR, NEAR)
    return factor is not None and abs(factor - 1) < NEAR and last_right and not _one((weights * look).sum(-1))


def _wrong_tokens_hidden(weights, right, look):
    return _shut_out(weights, right) and _leaks(weights, look) and not _one(weights.sum(-2)) and (weights > -NEAR).all()


def _columns(weights, right, look):
    return _one(weights.sum(-2)) and not _one(weights.sum(-1)) and not _leaks(weights, look)


def _rows_scaled(weights, right, look):
    sums, factor = weights.sum(-1), _factor(weights, right, look)
    return factor is not None and abs(factor - 1) < NEAR and np.ptp(sums) < NEAR and not _one(sums)


def _not_normalised(weights, right, look):
    factor = _factor(weights, right, look)
    last_right = np.allclose(weights[..., -1, :], right[..., -1, :], NEAR, NEAR)
    unequal = np.ptp(weights.sum(-1)) > NEAR
    kept = not _leaks(weights, look) and not _shut_out(weights, right)
    return factor is not None and abs(factor - 1) < NEAR and unequal and kept and not last_right


def _factors(cases):
    """The factor of each wrong case whose rows are whole; None where one has no such factor."""
    wrong = _wrong(cases)
    whole = all(np.isfinite(weights).all() and _whole(weights, look) for weights, _, look in wrong)
    found = [_factor(*each) for each in wrong] if whole else [None]
    return None if None in found else found


def _scores_scaled(cases):
    """Every row is whole, and the scores of each case are all off by one positive factor."""
    found = _factors(cases)
    return bool(found) and all(factor > 0.01 and abs(factor - 1) > 0.01 for factor in found)


def _by_one_divisor(cases):
    """Whether all scores may have been divided by one number; only those who borrow this know the head size d."""
    sizes = [c.inputs["d"] ** 0.5 / _factor(*_wrong([c])[0]) for c in cases if not c.right and "d" in c.inputs]
    return bool(sizes) and min(sizes) > 1.01 and max(sizes) < 1.01 * min(sizes)


def _negative(weights, right, look):
    """Negative beyond what rounding makes of the largest numbers around."""
    return (weights[..., look] < -NEAR * max(1, np.abs(weights).max())).any()


def _at_other_tokens(weights, right, look):
    """Every square holds the right shares, at other places."""
    moved = np.abs(weights - right).max() > 10 * NEAR
    squares, wanted = (np.sort(each.reshape(*each.shape[:-2], -1), axis=-1) for each in (weights, right))
    return moved and np.allclose(squares, wanted, NEAR, NEAR)


def _rounded(weights, right, look):
    """The right weights, with one to four digits behind the point."""
    steps = [weights * 10.0**digits for digits in range(1, 5)]
    return any(
        np.abs(step - step.round()).max() < NEAR and np.abs(step - right * 10.0**digits).max() < 0.5 + NEAR
        for digits, step in enumerate(steps, start=1)
    )


def _nan_where_hidden(cases):
    """NaN fills the hidden pairs and nothing else, and the others are right."""
    return all(
        (np.isnan(weights) == ~look).all() and np.allclose(weights[..., look], right[..., look], NEAR, NEAR)
        for weights, right, look in _wrong(cases)
    )


def _nan(row):
    """NaN fills exactly this row of every square."""

    def shows(cases):
        found = [np.isnan(weights) for weights, _, _ in _wrong(cases)]
        rows = [np.arange(nan.shape[-1]) == np.arange(nan.shape[-1])[row] for nan in found]
        return all((nan == wanted[:, None]).all() for nan, wanted in zip(found, rows, strict=True))

    return shows


PATTERNS = (
    Pattern(
        shows=_every(_rounded),
        says="Rounding is for people, when a number is printed: hand on all digits.",
    ),
    Pattern(
        shows=_nan_where_hidden,
        says="All that may be looked at is right, and the hidden pairs are NaN. A hidden token has the weight 0: with"
        " -inf for its score the exponential makes it 0.",
    ),
    Pattern(
        shows=_finite_fill,
        families=("mask",),
        says="Scores and softmax are right. But the hidden tokens get weight, as if each had one and the same ordinary"
        " score: that is the value they were filled with. Only -inf vanishes under exp.",
    ),
    Pattern(
        shows=_right_softmax_of_others,
        families=("mask",),
        says="Every row is what a softmax makes of the right scores, but over other tokens than it may see: scores and"
        " softmax are right, the mask is not.",
    ),
    Pattern(
        shows=_nan(0),
        says="Only the first row is NaN. That is what becomes of a row in which everything is -inf: has its token"
        " anybody left to look at, itself at least?",
    ),
    Pattern(
        shows=_nan(-1),
        says="Only the last row is NaN. That is what becomes of a row in which everything is -inf: has its token"
        " anybody left to look at?",
    ),
    Pattern(
        shows=_every(_negative),
        families=("softmax",),
        says="Some weights are below 0, which no softmax gives: the exponential is missing, or something came after"
        " it.",
    ),
    Pattern(
        shows=_every(_at_other_tokens),
        says="The right shares are all there, but they belong to other tokens: rows or columns have changed places.",
    ),
    Pattern(
        shows=_every(_mask_without_effect),
        families=("mask",),
        says="Among the tokens they may look at, all rows share out in the right proportions, and the last row, the"
        " only one without a future, is right. So the scores are right; the future takes a share because the"
        " mask comes too late or does not take full effect.",
    ),
    Pattern(
        shows=_every(_columns),
        families=("softmax",),
        says="The columns sum to 1, the rows do not: the shares were made over the queries. They have to be made over"
        " the keys, the last axis.",
    ),
    Pattern(
        shows=_every(_wrong_tokens_hidden),
        says="Pairs that may meet have weight 0 while hidden ones have weight: wrong pairs are hidden, by the mask or"
        " because tokens have changed places.",
    ),
    Pattern(
        shows=_every(_rows_scaled),
        families=("scale",),
        says="The proportions are right, but all rows sum to the same number, and it is not 1: the weights are scaled."
        " Only the scores are, before the softmax.",
    ),
    Pattern(
        shows=_every(_not_normalised),
        families=("softmax",),
        says="Within a row the proportions are right, but the rows sum to different numbers and not to 1: each row"
        " carries a factor of its own, as one does that is not divided by its own sum.",
    ),
    Pattern(
        shows=lambda cases: _scores_scaled(cases) and not _by_one_divisor(cases),
        families=("scale",),
        says=SCALED,
    ),
    Pattern(shows=_scores_scaled, families=("scale", "shape"), says=SCALED),
    Pattern(
        shows=lambda cases: bool(found := _factors(cases)) and all(abs(factor) <= 0.01 for factor in found),
        says="Every row shares out evenly among the tokens it may see: the scores make no difference.",
    ),
    Pattern(
        shows=lambda cases: bool(found := _factors(cases)) and all(factor < -0.01 for factor in found),
        says="Every row sums to 1 and next to nothing goes to the future. But the best score gets the least: the scores"
        " have the wrong sign.",
    ),
    Pattern(
        shows=_every(lambda weights, right, look: _whole(weights, look) and _shut_out(weights, right)),
        says="Every row sums to 1 and next to nothing goes to the future. But some tokens that may be looked at get"
        " nothing at all: more is hidden than the future, tokens have moved, or some scores are far too large.",
    ),
    Pattern(
        shows=_every(lambda weights, right, look: _whole(weights, look) and np.abs(weights - right).max() > 10 * NEAR),
        says="Every row sums to 1 and next to nothing goes to the future. What differs is how a row shares out: look"
        " at the scores, and at everything that turns them into shares.",
    ),
)
