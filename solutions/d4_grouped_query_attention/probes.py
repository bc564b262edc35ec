"""Inputs for gqa. B, T, d, the head counts and the size of a group differ, and at least one group count is never the
group size, so that dealing the heads out in turn shows. Weights have a standard deviation of 1 / sqrt(C)."""

import numpy as np

from autograder.records import Probe

AXES = {"result": ("batch", "token", "channel")}


def shown(rng: np.random.Generator):
    yield Probe(
        name="pairs",
        check="values",
        why="6 query heads of 8 channels in pairs: B=2, T=7, 6, 3 and 8 all differ, and 8 is no square",
        inputs=_inputs(rng, B=2, T=7, h=6, n_kv=3, d=8),
    )
    yield Probe(
        name="before_the_output",
        check="values",
        why="wo changes nothing here, so the heads can be read off side by side: 8 of them in two groups",
        inputs=_inputs(rng, B=3, T=5, h=8, n_kv=2, d=6) | {"wo": np.eye(48, dtype=np.float32)},
    )
    yield Probe(
        name="nothing_shared",
        check="values",
        why="as many keys and values as queries: plain multi-head attention; B, T, h and d are all 4",
        inputs=_inputs(rng, B=4, T=4, h=4, n_kv=4, d=4),
    )
    yield Probe(
        name="not_divisible",
        check="refusal",
        why="6 query heads cannot be dealt out evenly to 4 heads of keys and values",
        inputs=_inputs(rng, B=2, T=5, h=6, n_kv=4, d=3),
        ordinary=False,
    )
    yield Probe(
        name="one_sequence",
        check="corners",
        why="B=1, heads of a single channel and one head of keys: axes of size 1 must survive",
        inputs=_inputs(rng, B=1, T=4, h=6, n_kv=1, d=1),
        ordinary=False,
    )
    yield Probe(
        name="gradient",
        check="corners",
        why="gradients have to reach the input and all four weights",
        inputs=_inputs(rng, B=2, T=5, h=6, n_kv=2, d=4),
        gradient=True,
        ordinary=False,
    )


def hidden(rng: np.random.Generator):
    yield Probe(
        name="one_for_all",
        check="values",
        why="one head of keys and values for all queries, and 40 tokens, which no mask of a few may cut short",
        inputs=_inputs(rng, B=2, T=40, h=6, n_kv=1, d=7),
    )
    yield Probe(
        name="threes",
        check="values",
        why="groups of three: neither pairs nor groups of four can be built in",
        inputs=_inputs(rng, B=2, T=9, h=12, n_kv=4, d=6),
    )
    yield Probe(
        name="too_few_queries",
        check="refusal",
        why="more heads of keys than of queries",
        inputs=_inputs(rng, B=2, T=4, h=2, n_kv=4, d=3),
        ordinary=False,
    )
    yield Probe(
        name="one_token",
        check="corners",
        why="T=1: the first token of a text has only itself to look at",
        inputs=_inputs(rng, B=2, T=1, h=6, n_kv=3, d=4),
        ordinary=False,
    )
    yield Probe(
        name="one_head",
        check="corners",
        why="a single head is no special case",
        inputs=_inputs(rng, B=2, T=5, h=1, n_kv=1, d=6),
        ordinary=False,
    )


def _inputs(rng, B: int, T: int, h: int, n_kv: int, d: int):
    C = h * d
    rows = {"wq": C, "wk": n_kv * d, "wv": n_kv * d, "wo": C}
    weights = {name: rng.standard_normal((n, C), np.float32) / np.float32(C**0.5) for name, n in rows.items()}
    return {"x": rng.standard_normal((B, T, C), np.float32), **weights, "n_heads": h, "n_kv_heads": n_kv}
