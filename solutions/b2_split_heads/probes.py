"""Inputs for split_heads. B, T, h and d all differ wherever possible, so that no two axes can be confused unseen.

T is a multiple of h in the ordinary probes and their widths have many divisors: a cut in the wrong place then runs and
shows itself in the numbers, where it would otherwise only crash.
"""

import numpy as np

from autograder.records import Probe

AXES = {"result": ("batch", "head", "token", "channel")}


def shown(rng: np.random.Generator):
    yield Probe(
        name="small",
        check="values",
        why="the numbers of the lesson: every entry can be checked by eye",
        inputs={"x": np.arange(12, dtype=np.float32).reshape(1, 3, 4), "n_heads": 2},
        ordinary=False,
    )
    yield Probe(
        name="general",
        check="values",
        why="B=2, T=9, h=3, d=16 all differ: an axis in the wrong place changes the shape or the numbers",
        inputs={"x": rng.standard_normal((2, 9, 48), np.float32), "n_heads": 3},
    )
    yield Probe(
        name="not_divisible",
        check="refusal",
        why="6 channels cannot be cut into 4 equal heads, yet chunk, unfold, slices or a -1 all return something",
        inputs={"x": rng.standard_normal((2, 4, 6), np.float32), "n_heads": 4},
        ordinary=False,
    )
    yield Probe(
        name="one_token",
        check="corners",
        why="B=1, T=1 and a single head: axes of size 1 must survive",
        inputs={"x": rng.standard_normal((1, 1, 12), np.float32), "n_heads": 1},
        ordinary=False,
        safety="no wrong answer known here fails at T=1 alone, but generating text one token at a time would",
    )
    yield Probe(
        name="gradient",
        check="corners",
        why="the cut must let gradients through, each to its own channel; a batch of 5 divides nothing here",
        inputs={"x": rng.standard_normal((5, 4, 12), np.float32), "n_heads": 3},
        gradient=True,
        ordinary=False,
    )


def hidden(rng: np.random.Generator):
    yield Probe(
        name="wide",
        check="values",
        why="768/16 gives heads of 48: neither 12 heads nor heads of 64 can be built in; as many tokens as heads",
        inputs={"x": rng.standard_normal((1, 16, 768), np.float32), "n_heads": 16},
    )
    yield Probe(
        name="slice_of_fused",
        check="corners",
        why="q is usually a slice of a wider tensor: its rows do not lie side by side; all sizes are 4, in float64",
        inputs={"x": rng.standard_normal((4, 4, 16)), "n_heads": 4},
        scattered=("x",),
        ordinary=False,
        safety="no wrong answer with a name fails here alone, but one that returns float32 whatever came does",
    )
    yield Probe(
        name="single_channels",
        check="corners",
        why="as many heads as channels: an axis of size 1 must survive here, too",
        inputs={"x": rng.standard_normal((2, 3, 5), np.float32), "n_heads": 5},
        ordinary=False,
    )
    yield Probe(
        name="ten_into_four",
        check="refusal",
        why="another width that does not divide: a refusal of one particular shape is not enough",
        inputs={"x": rng.standard_normal((2, 4, 10), np.float32), "n_heads": 4},
        ordinary=False,
    )
