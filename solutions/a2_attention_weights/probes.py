"""Inputs for attention_weights. The square hides mistakes about axes from the shapes, so the numbers have to tell."""

from functools import partial

import numpy as np

from autograder.records import Probe

AXES = {"result": ("query", "key")}

Asked = partial(Probe, any_precision=True)


def _causal(T):
    return np.tri(T, dtype=bool)


def shown(rng: np.random.Generator):
    yield Asked(
        name="small",
        check="values",
        why="whole numbers, with zeros on both sides of the mask: a score of 0 is a score like any other",
        inputs={
            "scores": np.array([[1.0, 3, 0, 2], [0, 2, 4, 1], [3, 1, 0, 5], [2, 0, -1, 1]]),
            "may_look": _causal(4),
        },
    )
    yield Asked(
        name="general",
        check="values",
        why="scores of everyday size: small enough that a weak fill leaks, large enough that no row is even",
        inputs={"scores": 1.5 * rng.standard_normal((7, 7)), "may_look": _causal(7)},
        safety="the small whole numbers catch as much; two mistakes that cancel there would not cancel in these",
    )
    yield Asked(
        name="huge",
        check="extremes",
        why="rows far above and far below each other, below any half-hearted fill, and beaten by a hidden score",
        inputs={
            "scores": np.array(
                [
                    [-12_000.0, 0, 0, 0, 0],
                    [9_000, 9_000.5, 0, 0, 0],
                    [-15_000, -15_001, -15_000.5, 10_000, 10_000],
                    [0.5, 12_000, 0, 11_999, 3],
                    [1, 0, -2, 0.5, 1.5],
                ]
            ),
            "may_look": _causal(5),
        },
        ordinary=False,
    )
    yield Asked(
        name="two_sentences",
        check="corners",
        why="2 tokens and 3 tokens side by side that must not see each other: the mask is an argument, not a constant",
        inputs={
            "scores": rng.standard_normal((5, 5)),
            "may_look": _causal(5) & np.equal.outer([0, 0, 1, 1, 1], [0, 0, 1, 1, 1]),
        },
        ordinary=False,
    )
    yield Asked(
        name="one_token",
        check="corners",
        why="a single token spends all its attention on itself, and both axes survive",
        inputs={"scores": np.array([[-3.0]]), "may_look": _causal(1)},
        ordinary=False,
    )


def hidden(rng: np.random.Generator):
    yield Asked(
        name="longer",
        check="values",
        why="another length and other numbers, with a zero among the allowed scores",
        inputs={"scores": _with_zero(1.5 * rng.standard_normal((10, 10))), "may_look": _causal(10)},
    )
    yield Asked(
        name="shifted_rows",
        check="extremes",
        why="ordinary scores, exact in float32 too, each row moved far up or far down: the weights stay as they were",
        inputs={
            "scores": np.round(64 * rng.standard_normal((6, 6))) / 64 + 15_000 * rng.permutation([-1, 1] * 3)[:, None],
            "may_look": _causal(6),
        },
        ordinary=False,
    )


def _with_zero(scores):
    scores[5, 2] = 0
    return scores
