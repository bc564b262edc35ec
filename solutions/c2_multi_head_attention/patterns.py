"""Where a wrong module goes astray, read from its outputs alone.

The last steps can be undone. out.weight is square, and a head whose size d is larger than T has fewer values than
channels, so its T values are a basis: if a head's output is a mixture of its values, the mixture is unique, and it is
the attention weights. If it is no such mixture, one of values, merge or output went wrong before or after; then it is
tried whether undoing them another way explains every number. With d > T that cannot succeed by chance.
"""

from functools import lru_cache

import numpy as np

from autograder.records import Case, Inside, Pattern

NEAR = 1e-3


def _split(x, h):
    """(B, T, C) -> (B, h, T, d)"""
    B, T, C = x.shape
    return x.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)


def _straight(x, h):
    """(B, T, C) -> (B, h, T, d), the way a bare view cuts."""
    B, T, C = x.shape
    return x.reshape(B, h, T, C // h)


def _dealt(x, h):
    """(B, T, C) -> (B, h, T, d), channels dealt out like cards."""
    B, T, C = x.shape
    return x.reshape(B, T, C // h, h).transpose(0, 3, 1, 2)


def _third(number):
    """The projection with the first, second or last C rows of the fused weight."""

    def project(inputs):
        C = inputs["x"].shape[-1]
        return inputs["x"] @ inputs["qkv_weight"][number * C : (number + 1) * C].T

    return project


_VALUES = _third(2)


def _through_out(inputs, y):
    """What out must have been given to answer y."""
    return np.linalg.solve(inputs["out_weight"], y.reshape(-1, y.shape[-1]).T).T.reshape(y.shape)


def _through_out_turned(inputs, y):
    """The same for an answer that used out.weight the wrong way round."""
    return _through_out({"out_weight": inputs["out_weight"].T}, y)


def weights_behind(inputs, y, values=_VALUES, cut=_split, undo=_through_out, join=_split, near=NEAR):
    """The weights (B, h, T, T) that mix `values`, cut into heads by `cut`, into y; None where no weights do.

    `undo` goes back through the output projection, `join` cuts what was merged into heads again.
    """
    inputs = {
        name: value.astype(np.float64) if isinstance(value, np.ndarray) else value for name, value in inputs.items()
    }
    h, (_, T, C) = inputs["n_heads"], inputs["x"].shape
    if y.shape != inputs["x"].shape or C // h <= T or not np.isfinite(y).all():
        return None
    basis = cut(values(inputs), h)
    heads = join(undo(inputs, y.astype(np.float64)), h)
    weights = heads @ np.linalg.pinv(basis)
    return weights if np.abs(weights @ basis - heads).max() < near * np.abs(heads).max() else None


@lru_cache(maxsize=16)
def _weights_wanted(case):
    """The weights behind the right answer; None where rounding errors grow too large on the way back to them.

    How large they grow shows in what has to be 0: the weights of the future.
    """
    weights = weights_behind(case.inputs, case.wanted["y"], near=NEAR / 10)
    future = ~np.tri(case.inputs["x"].shape[1], dtype=bool)
    return weights if weights is not None and np.abs(weights[..., future]).max() < NEAR / 10 else None


def _readable(cases):
    """The wrong cases from whose right answer the weights can be read."""
    wrong = [case for case in cases if not case.right and "x" in case.inputs and "y" in case.got]
    return [case for case in wrong if _weights_wanted(case) is not None]


def _explained(**otherwise):
    """Whether every number follows once these steps are undone in another way, and not as they should be."""

    def shows(cases):
        answers = [(case.inputs, case.got["y"]) for case in _readable(cases)]
        needed = any(weights_behind(inputs, y) is None for inputs, y in answers)
        return needed and all(weights_behind(inputs, y, **otherwise) is not None for inputs, y in answers)

    return shows


def _with_right_weights(cases):
    """What is mixed is keys or queries; whether at least the mixture is right."""
    return all(
        any(
            (theirs := weights_behind(c.inputs, c.got["y"], values=_third(n))) is not None
            and np.allclose(theirs, _weights_wanted(c), NEAR, 10 * NEAR)
            for n in (0, 1)
        )
        for c in _readable(cases)
    )


def _other_rows(cases):
    return any(_explained(values=_third(n))(cases) for n in (0, 1))


def _nan_tokens(token):
    """Whether NaN fills exactly this token's outputs."""

    def shows(cases):
        found = [np.isnan(case.got["y"]) for case in cases if not case.right]
        wanted = [np.arange(nan.shape[1]) == np.arange(nan.shape[1])[token] for nan in found]
        return all((nan == row[:, None]).all() for nan, row in zip(found, wanted, strict=True))

    return shows


def _right_tokens(cases):
    """The tokens right in every sequence, for each wrong case. Raises ValueError where there is NaN."""
    for case in cases:
        if not case.right:
            if not np.isfinite(case.got["y"]).all():
                raise ValueError
            near = np.isclose(case.got["y"], case.wanted["y"], NEAR, NEAR * np.abs(case.wanted["y"]).max())
            yield near.all(axis=(0, 2))


def _no_mixture(cases):
    """No head of a readable answer is a mixture of its values, and there is one."""
    found = _readable(cases)
    return bool(found) and all(weights_behind(case.inputs, case.got["y"]) is None for case in found)


def _only_first(cases):
    return all(right[0] and not right.all() for right in _right_tokens(cases))


def _only_last(cases):
    return all(right[-1] and not right[:-1].any() for right in _right_tokens(cases))


def _all_alike(cases):
    """All tokens of a sequence have the same output."""
    return all(np.allclose(case.got["y"], case.got["y"][:, :1], NEAR, NEAR) for case in cases if not case.right)


def _broken_promise(cases):
    """Whether all numbers of the promised weights are there, but not under the promised names and shapes."""
    made = [case for case in cases if "parameters" in case.wanted and not case.right]
    return bool(made) and all(case.got["parameters"] >= case.wanted["parameters"] for case in made)


def _weights_missing(cases):
    return any("parameters" in case.wanted and not case.right for case in cases)


def _attention(case):
    """The case as C1 would have seen it; None where the answer is no mixture of the values, or cannot tell."""
    if "x" not in case.inputs or (wanted := _weights_wanted(case)) is None:
        return None
    got = weights_behind(case.inputs, case.got["y"])
    q, k = (_split(_third(number)(case.inputs), case.inputs["n_heads"]) for number in (0, 1))
    return None if got is None else Case({"q": q, "k": k}, {"result": wanted}, {"result": got}, case.right)


def _share_weights(cases):
    """Neighbouring heads, or all of them, mix their values in one and the same way, though the sequences do not."""
    readable = _readable(cases)
    found = [(weights_behind(case.inputs, case.got["y"]), _weights_wanted(case)) for case in readable]
    return bool(found) and all(
        weights is not None and _in_groups(weights, wanted) and not np.allclose(weights, weights[:1], NEAR, 10 * NEAR)
        for weights, wanted in found
    )


def _in_groups(weights, wanted):
    """Whether the heads of a group differ by next to nothing, beside what they should differ by."""
    B, h, T, _ = weights.shape
    sizes = [size for size in range(2, h + 1) if h % size == 0]
    pairs = [[each.reshape(B, h // size, size, T, T) for each in (weights, wanted)] for size in sizes]
    spreads = [[np.abs(group - group[:, :, :1]).max() for group in pair] for pair in pairs]
    return any(spread < NEAR * full for spread, full in spreads)


def _one_factor(cases):
    """All outputs are right but for one factor above 0, the same for all numbers of a case."""
    for case in cases:
        if not case.right:
            got, wanted = case.got["y"].astype(float), case.wanted["y"].astype(float)
            factor = (got * wanted).sum() / (wanted**2).sum()
            off = factor < 0.001 or abs(factor - 1) < 0.01
            if off or not np.allclose(got, factor * wanted, NEAR, NEAR * np.abs(got).max()):
                return False
    return True


def _all_zero(cases):
    return all(not case.got["y"].any() for case in cases if not case.right)


UNDONE = (
    "Undoing the output projection, every head of your answer is a mixture of its own values. So each channel is in its"
    " place from the values to the output, and how the tokens were mixed can be read: by the weights, and by"
    " whatever else moves or averages tokens."
)

PATTERNS = (
    Pattern(
        shows=_broken_promise,
        families=("contract",),
        says="This is about the form of the module, not about its attention: weights are handed over by name and"
        " shape, so both layers have to be there as promised before any output can be compared.",
    ),
    Pattern(
        shows=_weights_missing,
        families=("contract", "output", "layout", "values", "heads", "grouping"),
        says="Fewer numbers can be learned than the two promised layers have, (3C, C) and (C, C): one of them is"
        " missing or too small.",
    ),
    Pattern(
        shows=_nan_tokens(0),
        says="Only token 0 is NaN. That is what becomes of a row of scores in which everything is -inf: has it anybody"
        " left to look at, itself at least?",
    ),
    Pattern(
        shows=_nan_tokens(-1),
        says="Only the last token is NaN. That is what becomes of a row of scores in which everything is -inf: has it"
        " anybody left to look at?",
    ),
    Pattern(shows=_all_zero, says="All outputs are 0, though the values are not."),
    Pattern(
        shows=_one_factor,
        families=("merge", "scale", "softmax", "output"),
        says="Every output is right but for one factor: somewhere after the softmax is a division or a"
        " multiplication too many.",
    ),
    Pattern(
        shows=_share_weights,
        families=("heads", "grouping"),
        says=f"{UNDONE} But heads share their weights, though each should have queries and keys of its own.",
    ),
    Inside("c1_causal_attention_weights", _attention, UNDONE, families=("mask", "scale", "heads")),
    Pattern(
        shows=_explained(undo=lambda inputs, y: y),
        families=("output",),
        says="Your outputs are mixtures of the values as they are: the heads are merged, but the output projection"
        " does not come after them.",
    ),
    Pattern(
        shows=_explained(undo=_through_out_turned),
        families=("output",),
        says="Your outputs fit once the output weight is turned round: the output projection multiplies by the"
        " matrix itself where a linear layer multiplies by its transpose.",
    ),
    Pattern(
        shows=_explained(undo=lambda inputs, y: _through_out(inputs, y - inputs["x"])),
        families=("extra",),
        says="Your outputs fit once x is taken off them: the input was added to the answer. That step belongs outside.",
    ),
    Pattern(
        shows=_explained(undo=lambda inputs, y: _through_out(inputs, y) - inputs["x"]),
        families=("extra",),
        says="Your outputs fit once x is taken off before the output projection: the input was added to the merged"
        " heads. That step belongs outside.",
    ),
    Pattern(
        shows=_explained(values=lambda inputs: inputs["x"]),
        families=("values",),
        says="What your heads mix are slices of x itself: the values were not projected.",
    ),
    Pattern(
        shows=lambda cases: _other_rows(cases) and _with_right_weights(cases),
        families=("values",),
        says="The attention weights are right, but what they mix are queries or keys: the values have to come from"
        " the last C rows of the fused weight.",
    ),
    Pattern(
        shows=_other_rows,
        families=("layout", "values"),
        says="What your heads mix comes from the rows of the fused weight that make queries or keys. The first C"
        " rows make the queries, the next C the keys, the last C the values.",
    ),
    Pattern(
        shows=_explained(join=_straight),
        families=("merge",),
        says="Every number fits once the heads are put together the right way: they were merged without bringing the"
        " heads back beside the channels first.",
    ),
    Pattern(
        shows=_explained(join=_dealt),
        families=("merge",),
        says="Every number fits once the heads are put together the right way: their channels were shuffled into"
        " each other instead of standing side by side.",
    ),
    Pattern(
        shows=lambda cases: _explained(cut=_straight)(cases) or _explained(cut=_straight, join=_straight)(cases),
        families=("split",),
        says="Every number fits if the heads are cut by a bare view: it cuts the tokens, not the channels.",
    ),
    Pattern(
        shows=lambda cases: _explained(cut=_dealt)(cases) or _explained(cut=_dealt, join=_dealt)(cases),
        families=("grouping",),
        says="Every number fits if the channels are dealt out to the heads like cards. A head is a block of"
        " neighbouring channels.",
    ),
    Pattern(
        shows=lambda cases: _no_mixture(cases) and _only_first(cases),
        families=("grouping", "values"),
        says="Token 0 is right, and it sees only itself. Further on no weights make the outputs of a head out of its"
        " own values: either the width is cut into other heads than n_heads says, or the values are others.",
    ),
    Pattern(
        shows=_all_alike,
        says="All tokens of a sequence have the same output, though each should have its own. That is so where one of"
        " them was kept, or where all were averaged.",
    ),
    Pattern(
        shows=_only_last,
        families=("mask", "scores"),
        says="Only the last token is right, the one that may see everything. That is what a mask without effect does.",
    ),
    Pattern(
        shows=_only_first,
        families=("scale", "grouping", "scores", "heads", "shape", "batch"),
        says="Token 0 is right, and it sees only itself. What goes wrong shows where tokens come together: that is in"
        " the scores, in which channels belong to which head, or in a step that mixes tokens besides.",
    ),
)
