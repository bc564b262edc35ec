"""Inputs for mha_by_loop. B, T, h and d all differ; weights have a standard deviation of 1 / sqrt(C), so that wrong
scales show and the softmax does not saturate."""

import numpy as np

from autograder.records import Probe

BLOCK = "the block of head 1"

AXES = {"result": ("batch", "token", "channel"), BLOCK: ("channel",)}


def shown(rng: np.random.Generator):
    yield Probe(
        name="general",
        check="values",
        why="B=2, T=7, h=3, d=8 all differ, and 8 is no square",
        inputs=_inputs(rng, B=2, T=7, C=24, h=3),
    )
    yield Probe(
        name="before_the_output",
        check="values",
        why="out_weight changes nothing here, so the heads can be read off side by side; B, T, h and d are all 4",
        inputs=_inputs(rng, B=4, T=4, C=16, h=4) | {"out_weight": np.eye(16, dtype=np.float32)},
    )
    yield Probe(
        name="one_speaking_head",
        check="blocks",
        why="only head 1 has values, and out_weight changes nothing: only its block of channels may be filled",
        inputs=_one_speaking_head(rng, C=12, h=3),
        measure=filled,
        ordinary=False,
    )
    yield Probe(
        name="one_sequence",
        check="corners",
        why="B=1, heads of a single channel and 40 tokens: slices of width 1 keep their axis, and no mask ends early",
        inputs=_inputs(rng, B=1, T=40, C=12, h=12),
        ordinary=False,
    )
    yield Probe(
        name="gradient",
        check="corners",
        why="the loop has to let gradients through to the input and to both weights",
        inputs=_inputs(rng, B=2, T=5, C=12, h=3),
        gradient=True,
        ordinary=False,
    )


def hidden(rng: np.random.Generator):
    yield Probe(
        name="many_heads",
        check="values",
        why="16 heads of 6 channels: neither 12 heads nor heads of 64 can be built in",
        inputs=_inputs(rng, B=2, T=5, C=96, h=16),
    )
    yield Probe(
        name="one_token",
        check="corners",
        why="T=1: its axis may not get lost",
        inputs=_inputs(rng, B=2, T=1, C=12, h=3),
        ordinary=False,
    )
    yield Probe(
        name="one_head",
        check="corners",
        why="a single head is no special case",
        inputs=_inputs(rng, B=2, T=5, C=12, h=1),
        ordinary=False,
    )
    yield Probe(
        name="another_speaking_head",
        check="blocks",
        why="other sizes and other numbers, which nobody can know by heart",
        inputs=_one_speaking_head(rng, C=20, h=4),
        measure=filled,
        ordinary=False,
    )


def filled(inputs, parts):
    """Which channels hold anything at all."""
    return {BLOCK: np.abs(parts["result"]).max(axis=(0, 1)) > 1e-5}


def _inputs(rng, B: int, T: int, C: int, h: int):
    qkv, out = (rng.standard_normal((rows, C), np.float32) / np.float32(C**0.5) for rows in (3 * C, C))
    return {"x": rng.standard_normal((B, T, C), np.float32), "qkv_weight": qkv, "out_weight": out, "n_heads": h}


def _one_speaking_head(rng, C: int, h: int):
    inputs = _inputs(rng, B=2, T=5, C=C, h=h)
    values = inputs["qkv_weight"][2 * C :].reshape(h, C // h, C)
    values[np.arange(h) != 1] = 0
    return inputs | {"out_weight": np.eye(C, dtype=np.float32)}
