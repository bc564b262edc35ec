"""Inputs for causal_attention_weights. B, h, T, d all differ; d is a square only where scores have to be exact.

Random queries and keys are of size 1, so that scores are too: much smaller ones would hide a wrong scale, much larger
ones would saturate the softmax and hide it as well.
"""

import math
from typing import Any

import numpy as np

from autograder.records import Array, Probe

AXES = {"result": ("batch", "head", "query", "key")}


def _pair(rng: np.random.Generator, B: int, h: int, T: int, d: int) -> dict[str, np.ndarray]:
    return {"q": rng.standard_normal((B, h, T, d), np.float32), "k": rng.standard_normal((B, h, T, d), np.float32)}


def _stress(allowed: np.ndarray, ahead: int) -> dict[str, Any]:
    """The inputs and tolerance of a probe whose scaled scores are exactly `allowed` up to the diagonal, `ahead` beyond.

    The keys are one-hot and d = 16, whose root is 4: whole numbers times powers of two, so every order of multiplying
    and scaling gives the same float32 scores, however large they are. The tolerance is wide because such scores leave
    few digits behind the point to a right answer that takes its normaliser from logsumexp.
    """
    B, h, T, _ = allowed.shape
    q = np.zeros((B, h, T, 16), np.float32)
    q[..., :T] = 4 * np.where(np.tri(T, dtype=bool), allowed, ahead)
    k = np.broadcast_to(np.eye(T, 16, dtype=np.float32), q.shape).copy()
    return {"inputs": {"q": q, "k": k}, "ordinary": False, "rtol": 1e-2, "atol": 1e-2}


def shown(rng: np.random.Generator):
    q, k = np.zeros((2, 1, 1, 3, 4), np.float32)
    q[..., 0] = 2 * math.log(3)
    k[..., 1, 0] = 1
    yield Probe(
        name="small",
        check="values",
        why="the numbers of the lesson: every weight can be checked by hand",
        inputs={"q": q, "k": k},
        ordinary=False,
    )
    yield Probe(
        name="general",
        check="values",
        why="B=2, h=3, T=7, d=5 all differ: a wrong axis or a wrong divisor shows in the numbers",
        inputs=_pair(rng, 2, 3, 7, 5),
    )
    kinds = np.eye(10, dtype=np.float32)[rng.permuted([[0, 0, 1, 1, 2, 3]] * 4, axis=1)].reshape(2, 2, 6, 10)
    yield Probe(
        name="zero_scores",
        check="values",
        why="tokens of four kinds that match only their own kind: all other scores are exactly 0 and still count",
        inputs={"q": 2 * kinds, "k": 3 * kinds},
        safety="who hides zeros by their value is caught elsewhere too, but here by what the exercise promises",
    )
    yield Probe(
        name="square",
        check="values",
        why="B, h, T and d are all 4: axes that do not belong together fit, so what crashes elsewhere shows numbers",
        inputs=_pair(rng, 4, 4, 4, 4),
    )
    yield Probe(
        name="one_token",
        check="corners",
        why="B=1 and T=1: the only weight is 1, and no axis may go missing",
        inputs=_pair(rng, 1, 3, 1, 5),
        ordinary=False,
        safety="no wrong answer known here fails at T=1 alone, but generating text one token at a time would",
    )
    yield Probe(
        name="bfloat16",
        check="corners",
        why="models run in bfloat16: what comes out must not have grown to float32 on the way",
        inputs={name: Array.of(values, "bfloat16") for name, values in _pair(rng, 2, 3, 6, 5).items()},
        ordinary=False,
        rtol=3e-2,
        atol=3e-2,
    )
    yield Probe(
        name="gradient",
        check="corners",
        why="queries and keys must both learn, and new ones of a known size are new",
        inputs=_pair(rng, 2, 3, 7, 5),
        gradient=True,
        ordinary=False,
    )
    yield Probe(
        name="stress_big",
        check="stress",
        why="rows of scores about 1000, 2000, ...: exp overflows unless the maximum of each row is subtracted first",
        **_stress(rng.integers(0, 4, (2, 3, 5, 5)) + 1000 * np.arange(1, 6)[:, None], ahead=0),
    )
    yield Probe(
        name="stress_low",
        check="stress",
        why="allowed scores of about -130000 beside forbidden ones of 0: the fill value has to be lower still",
        **_stress(rng.integers(0, 4, (2, 3, 5, 5)) - 130_000, ahead=0),
    )


def hidden(rng: np.random.Generator):
    yield Probe(
        name="even_heads",
        check="values",
        why="other sizes, and more heads than tokens: no size of the shown probes can be built in",
        inputs=_pair(rng, 3, 8, 6, 11),
    )
    yield Probe(
        name="long",
        check="corners",
        why="70 tokens outgrow a mask that was made for a few, and float64 stays float64",
        inputs={name: values.astype(np.float64) for name, values in _pair(rng, 1, 2, 70, 3).items()},
        ordinary=False,
    )
    yield Probe(
        name="stress_future",
        check="stress",
        why="forbidden scores beat the allowed ones by about 110: once they are in the softmax, nothing else is left",
        **_stress(rng.integers(0, 4, (2, 3, 6, 6)) - 50, ahead=60),
    )
