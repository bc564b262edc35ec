"""What a wrong mask proves. Where the pattern is right the attention is not to blame, only the form of the answer."""

import numpy as np

from autograder.records import Pattern


def _squares(cases):
    """(right mask, what came back), the latter without axes of size 1 that stand before the last two."""
    pairs = [(case.wanted["result"], case.got["result"]) for case in cases]
    return [(wanted, got.reshape(got.shape[-2:]) if got.size == wanted.size else got) for wanted, got in pairs]


def _right_as_numbers(cases):
    return all(got.dtype != bool and np.array_equal(got, wanted) for wanted, got in _squares(cases))


def _additive(cases):
    def fits(wanted, got):
        shut = got[~wanted]
        return got.shape == wanted.shape and not got[wanted].any() and (shut <= -1e3).all()

    return all(got.dtype.kind == "f" and fits(wanted, got) for wanted, got in _squares(cases))


def _right_inside_more_axes(cases):
    deep = all(case.got["result"].ndim > 2 for case in cases)
    return deep and all(np.array_equal(got, wanted) for wanted, got in _squares(cases))


def _of_one_size(cases):
    """Right masks, but of one size whatever T is; those that are right are not longer than that."""
    wrong = [case.got["result"] for case in cases if not case.right]
    fits = max((case.inputs["T"] for case in cases if case.right), default=0)
    return all(
        got.dtype == bool and got.shape == wrong[0].shape and np.array_equal(got, np.tri(len(got), dtype=bool))
        for got in wrong
    ) and (len(wrong) > 1 or len(wrong[0]) >= fits > 0)


def _only_wrong(allowed_to_differ):
    """Whether the masks are wrong, and in no other places than these."""

    def shows(cases):
        pairs = [(wanted, got) for wanted, got in _squares(cases) if not np.array_equal(wanted, got)]
        return bool(pairs) and all(
            got.dtype == bool
            and got.shape == wanted.shape
            and not (got != wanted)[~allowed_to_differ(len(wanted))].any()
            for wanted, got in pairs
        )

    return shows


PATTERNS = (
    Pattern(
        shows=_right_as_numbers,
        families=("contract",),
        says="Every entry is right as a number; only the dtype is not: compare, or finish with astype(bool).",
    ),
    Pattern(
        shows=_additive,
        families=("contract",),
        says="This is the right pattern as a mask to add to scores: 0 where a token may look. Here True says so"
        " instead.",
    ),
    Pattern(
        shows=_right_inside_more_axes,
        families=("contract",),
        says="The pattern is right, but it sits inside axes of size 1 that nobody asked for.",
    ),
    Pattern(
        shows=_of_one_size,
        families=("shape",),
        says="The pattern is right, but the mask never grows beyond one size: some number stands where T belongs.",
    ),
    Pattern(
        shows=_only_wrong(lambda T: np.eye(T, dtype=bool)),
        families=("mask",),
        says="Past and future are right; only the diagonal is not, and there every token meets itself.",
    ),
    Pattern(
        shows=_only_wrong(lambda T: ~np.tri(T, dtype=bool)),
        families=("mask",),
        says="All wrong entries lie above the diagonal, column after row: somebody sees what is still to come.",
    ),
    Pattern(
        shows=_only_wrong(lambda T: np.tri(T, dtype=bool)),
        families=("mask",),
        says="The future is hidden as it should be. All wrong entries lie on or below the diagonal: somebody may not"
        " look back.",
    ),
)
