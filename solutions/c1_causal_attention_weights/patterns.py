"""What wrong weights (B, h, T, T) prove: whether sequences and heads were kept apart, then row by row as in A2."""

import numpy as np

from autograder.records import Case, Inside, Pattern

NEAR = 1e-3


def _every(fact):
    """Whether a fact about weights and right weights shows in all wrong cases, and the weights are visibly wrong."""

    def shows(cases):
        pairs = [(case.got["result"], case.wanted["result"]) for case in cases if not case.right]
        return all(
            weights.shape == right.shape and not np.allclose(weights, right, 0, 10 * NEAR) and fact(weights, right)
            for weights, right in pairs
        )

    return shows


def _alike(weights, axis):
    return weights.shape[axis] > 1 and np.allclose(weights, weights.take([0], axis), NEAR, NEAR)


def _clean(weights):
    """Rows that sum to 1, nothing for the future."""
    future = ~np.tri(weights.shape[-1], dtype=bool)
    return np.allclose(weights.sum(-1), 1, NEAR, NEAR) and np.abs(weights[..., future]).max() < NEAR


def _one_pattern_for_all_heads(weights, right):
    """The heads of a sequence share one pattern, the sequences do not."""
    return _clean(weights) and _alike(weights, 1) and not _alike(weights, 0)


def _one_head_right(weights, right):
    good = np.isclose(weights, right, NEAR, NEAR).all(axis=(0, 2, 3))
    return _clean(weights) and good.size > 1 and good.sum() == 1


def _heads_elsewhere(weights, right):
    """Every head has the right weights of some head."""
    heads = range(weights.shape[1])
    return all(any(np.allclose(weights[:, i], right[:, j], NEAR, NEAR) for j in heads) for i in heads)


def _sums_to_one(axis):
    """Along this axis, and not along the keys; where everybody hides a pair there is NaN instead."""

    def fact(weights, right):
        allowed = weights[..., np.tri(weights.shape[-1], dtype=bool)]
        return weights.shape[axis] > 1 and np.allclose(allowed.sum(axis), 1, NEAR, NEAR) and not _clean(weights)

    return fact


def _as_queries(cases):
    """Everything that is wrong has the shape of the queries, which is not that of the weights."""
    shapes = [(case.got["result"].shape, case.inputs["q"].shape) for case in cases if not case.right]
    return all(got == q for got, q in shapes) and any(q[-1] != q[-2] for _, q in shapes)


def _as_one_matrix(case):
    """The case as A2 would see it, every (T, T) square behind the causal mask; with the size of a head."""
    q, k = case.inputs["q"], case.inputs["k"]
    T, d = q.shape[-2:]
    inputs = {"scores": q @ k.swapaxes(-2, -1) / d**0.5, "may_look": np.tri(T, dtype=bool), "d": d}
    return Case(inputs, case.wanted, case.got, case.right)


PATTERNS = (
    Pattern(
        shows=_as_queries,
        says="That is the shape of the queries, (B, h, T, d), which what the heads collect has as well. Asked are the"
        " weights themselves, one for each pair of tokens: stop after the softmax.",
    ),
    Pattern(
        shows=_every(_one_pattern_for_all_heads),
        families=("heads",),
        says="All heads of a sequence have one and the same pattern, though their queries and keys differ.",
    ),
    Pattern(
        shows=_every(_one_head_right),
        families=("heads",),
        says="One head is right and all the others are not: look at which queries and keys the other heads are given.",
    ),
    Pattern(
        shows=_every(_heads_elsewhere),
        families=("heads", "grouping"),
        says="Every head has the weights that belong to some other head: the heads have changed places.",
    ),
    Pattern(
        shows=_every(lambda weights, right: _clean(weights) and _alike(weights, 0) and not _alike(weights, 1)),
        families=("batch",),
        says="All sequences have the same weights, though their tokens differ: they come from one of them, or from all"
        " together.",
    ),
    Pattern(
        shows=_every(_sums_to_one(1)),
        families=("softmax",),
        says="It is over the heads that the weights sum to 1: the shares were made along axis 1. They have to be made"
        " over the keys, the last axis.",
    ),
    Pattern(
        shows=_every(_sums_to_one(0)),
        families=("softmax",),
        says="It is over the sequences of the batch that the weights sum to 1: the shares were made along axis 0. They"
        " have to be made over the keys, the last axis.",
    ),
    Inside("a2_attention_weights", _as_one_matrix),
)
