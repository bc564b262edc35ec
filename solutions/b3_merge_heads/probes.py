"""Inputs for merge_heads. B, T, h and d all differ, and T is not a multiple of h, unless a probe says otherwise."""

import numpy as np

from autograder.records import Probe

AXES = {"result": ("batch", "token", "channel")}


def _split(x: np.ndarray, h: int) -> np.ndarray:
    """(B, h, T, d), as split_heads returns it."""
    B, T, C = x.shape
    return np.ascontiguousarray(x.reshape(B, T, h, C // h).transpose(0, 2, 1, 3))


def shown(rng: np.random.Generator):
    yield Probe(
        name="round_trip",
        check="values",
        why="the split numbers of the lesson, 3 tokens in 2 heads: merged they have to count from 0 to 11 again",
        inputs={"y": _split(np.arange(12, dtype=np.float32).reshape(1, 3, 4), 2)},
        ordinary=False,
    )
    yield Probe(
        name="general",
        check="values",
        why="B=2, h=3, T=7, d=5 all differ: an axis in the wrong place changes the shape or the numbers",
        inputs={"y": rng.standard_normal((2, 3, 7, 5), np.float32)},
    )
    yield Probe(
        name="one_token",
        check="corners",
        why="B=1 and T=1: an axis of size 1 must survive",
        inputs={"y": rng.standard_normal((1, 4, 1, 3), np.float32)},
        ordinary=False,
    )
    yield Probe(
        name="one_head",
        check="corners",
        why="a single head is no special case: its channels are the whole width",
        inputs={"y": rng.standard_normal((2, 1, 3, 4), np.float32)},
        ordinary=False,
        safety="no wrong answer known here fails at one head alone; a view that crashes elsewhere runs here",
    )
    yield Probe(
        name="gradient",
        check="corners",
        why="the join must let gradients through, each to its own head",
        inputs={"y": rng.standard_normal((2, 3, 5, 4), np.float32)},
        gradient=True,
        ordinary=False,
    )


def hidden(rng: np.random.Generator):
    yield Probe(
        name="even_heads",
        check="values",
        why="other sizes, and more heads than tokens: no size of the shown probes can be built in",
        inputs={"y": rng.standard_normal((3, 8, 5, 6), np.float32)},
    )
    yield Probe(
        name="slice_of_wider",
        check="corners",
        why="y may be a slice of a wider tensor, whose rows do not lie side by side; all sizes are 4, in float64",
        inputs={"y": rng.standard_normal((4, 4, 4, 4))},
        scattered=("y",),
        ordinary=False,
    )
