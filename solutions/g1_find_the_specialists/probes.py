"""Attention weights of the shipped two-layer model on repeated words, computed here, and of heads without a job."""

from functools import partial
from pathlib import Path

import numpy as np

from autograder.records import Probe

MODEL = Path(__file__).resolve().parents[2] / "checkpoints" / "specialists_8.npz"
N_HEAD = 8
TRAINED = "heads without a job catch as much; these have one, and their scores mean something"
AXES = {"result": ("head",)}
Asked = partial(Probe, any_precision=True)


def shown(rng: np.random.Generator):
    yield _previous("first_layer", _trained(_word(rng, 9, T=24))[0], "the layer in which heads look one back", TRAINED)
    yield _previous("any_heads", _random(rng, h=3, T=7), "heads without a job: every weight counts, no two alike")
    yield _induction("second_layer", _trained(_word(rng, 9, T=24))[1], 9, "the layer that finds the last time", TRAINED)
    yield _induction("short_word", _random(rng, h=3, T=8), 3, "heads without a job, and a word that fits twice")
    yield Probe(
        name="origin",
        call="why_they_specialise",
        check="origin",
        why="the question of the lesson",
        inputs={},
    )


def hidden(rng: np.random.Generator):
    period = int(rng.choice([7, 8, 10, 11]))
    first, second = _trained(_word(rng, period, T=int(rng.integers(20, 25))))
    yield _previous("another_word", first, "another word, period and length")
    yield _induction("another_period", second, period, "another word, period and length", TRAINED)
    yield _induction("exactly_twice", _random(rng, h=5, T=12), 6, "a word that is there twice and no more")


def _previous(name: str, weights, why: str, safety: str = ""):
    return Asked(
        name=name, call="previous_token_score", check="previous", why=why, inputs={"weights": weights}, safety=safety
    )


def _induction(name: str, weights, period: int, why: str, safety: str = ""):
    inputs = {"weights": weights, "period": period}
    return Asked(name=name, call="induction_score", check="induction", why=why, inputs=inputs, safety=safety)


def _word(rng, period: int, T: int):
    return np.resize(rng.permutation(16)[:period], T)


def _random(rng, h: int, T: int):
    return _softmax(2 * rng.standard_normal((h, T, T)))


def _trained(tokens):
    """The attention weights (h, T, T) of both layers of the shipped model on one sequence (T,)."""
    with np.load(MODEL, allow_pickle=False) as file:
        w = {name: file[name].astype(np.float64) for name in file.files}
    T = len(tokens)
    x = w["tok.weight"][tokens] + w["pos.weight"][:T]  # (T, C)
    patterns = []
    for layer in ("blocks.0", "blocks.1"):
        normed = x / np.sqrt((x**2).mean(axis=-1, keepdims=True))
        parts = np.split(normed @ w[f"{layer}.qkv.weight"].T, 3, axis=-1)
        q, k, v = (part.reshape(T, N_HEAD, -1).swapaxes(0, 1) for part in parts)  # each (h, T, d)
        patterns.append(_softmax(q @ k.swapaxes(1, 2) / q.shape[-1] ** 0.5))
        x = x + (patterns[-1] @ v).swapaxes(0, 1).reshape(T, -1) @ w[f"{layer}.out.weight"].T
    return patterns


def _softmax(scores):
    """Causal weights from scores (h, T, T)."""
    scores = np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
