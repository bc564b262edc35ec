"""What wrong attention weights prove, whatever came before the last two axes (query, key).

Every softmax over keys leaves two traces. Its rows sum to 1, and inside a row the weights of two tokens differ by the
exponential of the difference of their scores; taking logarithms gets the scores back, up to a shift of the row.
"""

import numpy as np

from autograder.records import Pattern

NEAR = 1e-3
SCALED = (
    "Every row sums to 1 and next to nothing goes to the future, as it should. But all the scores behind these weights"
    " are off by one and the same factor."
)


def _wrong(cases):
    """(weights that came back, right ones, who may look) of each case that went wrong."""
    return [(c.got["result"], c.wanted["result"], c.inputs["may_look"]) for c in cases if not c.right]


def _every(fact):
    """Whether a fact about weights, right weights and mask shows in all wrong cases, and their numbers are wrong."""

    def shows(cases):
        return all(
            weights.shape == right.shape and not np.allclose(weights, right) and fact(weights, right, look)
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


def _factor(weights, right, look):
    """By which factor the scores behind the weights are too large; None where they are not all off by the same.

    Looks at allowed pairs only, row by row, so a row may have lost or gained as a whole.
    """
    seen = look & (right > 1e-5) & (weights > 1e-5)
    if not (weights[..., look] >= 0).all() or seen.sum() < 0.6 * np.broadcast_to(look, right.shape).sum():
        return None
    theirs, ours = (np.ma.masked_array(np.log(np.where(seen, w, 1)), ~seen) for w in (weights, right))
    theirs, ours = (logs - logs.mean(axis=-1, keepdims=True) for logs in (theirs, ours))
    factor = float((theirs * ours).sum() / (ours**2).sum())
    noise = NEAR / np.where(seen, np.minimum(weights, right), 1)
    return factor if (np.abs(theirs - factor * ours) <= 1e-2 + noise * (1 + abs(factor))).all() else None


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
    sums = weights.sum(-1)
    return _factor(weights, right, look) is not None and np.ptp(sums) < NEAR and not _one(sums)


def _not_normalised(weights, right, look):
    factor = _factor(weights, right, look)
    last_right = np.allclose(weights[..., -1, :], right[..., -1, :], NEAR, NEAR)
    unequal = np.ptp(weights.sum(-1)) > NEAR
    kept = not _leaks(weights, look) and not _shut_out(weights, right)
    return factor is not None and abs(factor - 1) < NEAR and unequal and kept and not last_right


def _scores_scaled(cases):
    """Every row is whole, and the scores of each case are all off by one factor."""
    for weights, right, look in _wrong(cases):
        factor = _factor(weights, right, look)
        if factor is None or abs(factor - 1) < 0.01 or not _whole(weights, look):
            return False
    return True


def _by_one_divisor(cases):
    """Whether all scores may have been divided by one number; only those who borrow this know the head size d."""
    sizes = [c.inputs["d"] ** 0.5 / _factor(*_wrong([c])[0]) for c in cases if not c.right and "d" in c.inputs]
    return bool(sizes) and min(sizes) > 1.01 and max(sizes) < 1.01 * min(sizes)


def _negative(weights, right, look):
    """Negative beyond what rounding makes of the largest numbers around."""
    return (weights[..., look] < -NEAR * max(1, np.abs(weights[np.isfinite(weights)]).max())).any()


def _at_other_tokens(weights, right, look):
    """Every row holds the right shares, in another order."""
    moved = np.abs(weights - right).max() > 10 * NEAR
    return moved and np.allclose(np.sort(weights, axis=-1), np.sort(right, axis=-1), NEAR, NEAR)


def _nan(rows):
    """NaN fills exactly these rows."""

    def fact(weights, right, look):
        nan = np.isnan(weights)
        wanted = np.zeros(len(look), bool)
        wanted[rows] = True
        return bool((nan == wanted[:, None]).all())

    return fact


PATTERNS = (
    Pattern(
        shows=_every(_nan(0)),
        families=("mask",),
        says="Only row 0 is NaN: its token has nobody to look at, not even itself, and nothing cannot be shared out.",
    ),
    Pattern(
        shows=_every(_nan(-1)),
        families=("mask",),
        says="Only the last row is NaN: its token, which may look at everybody, has nobody to look at.",
    ),
    Pattern(
        shows=_every(_negative),
        families=("softmax",),
        says="Some weights are below 0, which no softmax gives: the exponential is missing, or something came after"
        " it.",
    ),
    Pattern(
        shows=_every(_at_other_tokens),
        says="Every row holds the right shares, but they belong to other tokens: the tokens have changed places.",
    ),
    Pattern(
        shows=_every(_mask_without_effect),
        families=("mask",),
        says="Among the tokens they may look at, all rows share out in the right proportions, and the last row, the"
        " only one without a future, is right. So the scores are right; the future takes a share because the"
        " mask comes too late or does not take effect.",
    ),
    Pattern(
        shows=_every(_columns),
        families=("softmax",),
        says="The columns sum to 1, the rows do not: the softmax ran over the queries. It has to run over the keys,"
        " the last axis.",
    ),
    Pattern(
        shows=_every(_wrong_tokens_hidden),
        families=("mask",),
        says="Pairs that may meet have weight 0 while hidden ones have weight: the mask hides the wrong pairs.",
    ),
    Pattern(
        shows=_every(_rows_scaled),
        families=("scale",),
        says="All rows sum to the same number, and it is not 1: something scales the weights. Only the scores are"
        " scaled, before the softmax.",
    ),
    Pattern(
        shows=_every(_not_normalised),
        families=("softmax",),
        says="Within a row the proportions are right, but the rows sum to different numbers and not to 1: each row"
        " has to be divided by its own sum.",
    ),
    Pattern(
        shows=lambda cases: _scores_scaled(cases) and not _by_one_divisor(cases),
        families=("scale",),
        says=SCALED,
    ),
    Pattern(shows=_scores_scaled, families=("scale", "shape"), says=SCALED),
    Pattern(
        shows=_every(lambda weights, right, look: _whole(weights, look) and _shut_out(weights, right)),
        says="Every row sums to 1 and next to nothing goes to the future. But some tokens that may be looked at get"
        " nothing at all: either more is hidden than the future, or some scores are far too large.",
    ),
    Pattern(
        shows=_every(lambda weights, right, look: _whole(weights, look) and np.abs(weights - right).max() > 10 * NEAR),
        says="Every row sums to 1 and next to nothing goes to the future. What differs is how a row shares out: look"
        " at the scores, and at what turns them into shares.",
    ),
)
