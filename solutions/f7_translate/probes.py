"""Foreign layers to translate. What counts is what the translated layer computes, so heads may come in any order.

The number of heads, their size and 3 all differ, or one order could pass for another.
"""

import numpy as np

from autograder.records import Probe

OUTPUT = "what the translated layer computes"
AXES = {OUTPUT: ("token", "channel")}
TOKENS = 6
MORE = "four heads catch as much; here heads outnumber their channels"


def shown(rng: np.random.Generator):
    yield _interleaved(rng, "interleaved", "interleaved", h=4, d=5, why="four heads of five channels")
    yield _interleaved(
        rng, "more_heads", "interleaved", h=8, d=4, why="more heads than channels in a head", safety=MORE
    )
    yield _per_head(rng, "per_head", "per_head", h=4, d=5, why="four heads of five channels")
    yield _per_head(
        rng, "per_head_more_heads", "per_head", h=8, d=4, why="more heads than channels in a head", safety=MORE
    )


def hidden(rng: np.random.Generator):
    h, d = int(rng.choice([5, 7])), int(rng.choice([2, 4, 6]))
    yield _interleaved(rng, "drawn", "interleaved", h=h, d=d, why="sizes that nobody could have prepared for")
    yield _per_head(rng, "per_head_drawn", "per_head", h=h, d=d, why="sizes that nobody could have prepared for")


def _interleaved(rng, name: str, check: str, h: int, d: int, why: str, safety: str = ""):
    qkv, out = _layer(rng, h * d)
    return Probe(
        name=name,
        call="from_interleaved",
        check=check,
        why=why,
        inputs={"qkv_weight": qkv, "out_weight": out, "n_heads": h},
        measure=computed,
        safety=safety,
    )


def _per_head(rng, name: str, check: str, h: int, d: int, why: str, safety: str = ""):
    qkv, _ = _layer(rng, h * d)
    return Probe(
        name=name,
        call="from_per_head",
        check=check,
        why=why,
        inputs={"qkv_weight": qkv, "n_heads": h},
        measure=computed_before_out,
        safety=safety,
    )


def computed(inputs, parts):
    """What the translated layer makes of some tokens."""
    qkv, out = parts["result"]
    return {OUTPUT: _heads(qkv, inputs["n_heads"]) @ out.T.astype(np.float64)}


def computed_before_out(inputs, parts):
    """What the heads make of some tokens, before the output projection, which belongs to them in this order."""
    return {OUTPUT: _heads(parts["result"], inputs["n_heads"])}


def _heads(qkv, h: int):
    """The merged heads (T, C) of causal attention with rows (3, h, d)."""
    C = qkv.shape[1]
    x = np.random.default_rng(C).standard_normal((TOKENS, C))
    q, k, v = (part.reshape(TOKENS, h, -1).swapaxes(0, 1) for part in np.split(x @ qkv.T.astype(np.float64), 3, axis=1))
    scores = np.where(np.tri(TOKENS, dtype=bool), q @ k.swapaxes(1, 2) / (C // h) ** 0.5, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = weights / weights.sum(axis=-1, keepdims=True) @ v  # (h, T, d)
    return mixed.swapaxes(0, 1).reshape(TOKENS, C)


def _layer(rng, C: int):
    return tuple((rng.standard_normal((rows, C)) / C**0.5).astype(np.float32) for rows in (3 * C, C))
