"""Pairs of models for surviving_positions: a real checkpoint, and small random ones that agree elsewhere than at 0."""

from pathlib import Path

import numpy as np

from autograder.records import Probe

CHECKPOINTS = Path(__file__).resolve().parents[2] / "checkpoints"


def shown(rng: np.random.Generator):
    trained = _checkpoint("copy_16.npz")
    letters = rng.integers(16, size=(1, 12))
    yield Probe(
        name="sixteen_as_twelve",
        check="positions",
        why="the checkpoint of the story, once with its 16 heads and once with 12",
        inputs=_pair(trained, 16, 12) | {"tokens": np.tile(letters, 2)},
    )
    yield Probe(
        name="moved_late",
        check="positions",
        why="one position embedding differs: everything before it agrees, and after it only the logit that is always 0",
        inputs=_moved(_random(rng, C=24), 6, at=3) | {"tokens": rng.integers(10, size=(1, 7))},
    )
    yield Probe(
        name="heads_renumbered",
        check="judgement",
        why="the same heads in another order: the same function, up to the last digits",
        inputs=_renumbered(_random(rng, C=48, V=80), 6) | {"tokens": rng.integers(80, size=(1, 9))},
    )
    yield Probe(
        name="faint",
        check="judgement",
        why="no attention, and three letters off by a few hundredths of a logit: all others agree, early and late",
        inputs=_faint(rng, first=4) | {"tokens": np.array([[1, 4, 2, 5, 4, 6, 0, 7]])},
    )
    yield Probe(
        name="one_token",
        check="judgement",
        why="a smoke test with one token sees nothing of the wrong head count",
        inputs=_pair(_random(rng, C=24), 6, 4) | {"tokens": rng.integers(10, size=(1, 1))},
        ordinary=False,
        safety="others catch as much; this is the test that lets the wrong head count pass",
    )
    yield Probe(
        name="reason",
        call="why_it_survives",
        check="reason",
        why="the question of the lesson",
        inputs={},
    )


def hidden(rng: np.random.Generator):
    trained = _checkpoint("copy_16.npz")
    yield Probe(
        name="sixteen_as_eight",
        check="positions",
        why="the wrong head count that the checkpoint takes best: most guesses stay right, the logits do not",
        inputs=_pair(trained, 16, 8) | {"tokens": np.tile(rng.integers(16, size=(1, 12)), 2)},
    )
    late = int(rng.integers(4, 8))
    yield Probe(
        name="moved_later",
        check="positions",
        why="the first difference stands where nobody could have known",
        inputs=_moved(_random(rng, C=24), 4, at=late) | {"tokens": rng.integers(10, size=(1, 9))},
    )
    first = int(rng.integers(1, 7))
    yield Probe(
        name="faint_again",
        check="judgement",
        why="other letters in other places, and one of those that differ stands at position 0",
        inputs=_faint(rng, first) | {"tokens": np.roll(np.arange(10), -first - int(rng.integers(3)))[None]},
    )
    same = _random(rng, C=24)
    same["pos"] = np.zeros_like(same["pos"])
    yield Probe(
        name="all_alike",
        check="judgement",
        why="while all visible tokens are the same, any weights average the same values",
        inputs=_pair(same, 6, 4) | {"tokens": np.array([[5, 5, 5, 2, 7, 5, 1]])},
    )


def _checkpoint(name: str):
    """The weights of a shipped model under the names that the driver knows; layers stacked in front."""
    with np.load(CHECKPOINTS / name) as file:
        w = {key: file[key].astype(np.float32) for key in file.files}
    layers = range(sum(key.endswith("qkv.weight") for key in w))
    stacked = {part: np.stack([w[f"blocks.{i}.{part}.weight"] for i in layers]) for part in ("qkv", "out")}
    return {part: w[f"{part}.weight"] for part in ("tok", "pos", "head")} | stacked


def _random(rng, C: int, V: int = 10, T: int = 10, layers: int = 2):
    shapes = {"tok": (V, C), "pos": (T, C), "qkv": (layers, 3 * C, C), "out": (layers, C, C), "head": (V, C)}
    scales = {"tok": 1.0, "pos": 1.0, "qkv": 1.5 / C**0.5, "out": C**-0.5, "head": C**-0.5}
    return {name: (scales[name] * rng.standard_normal(shape)).astype(np.float32) for name, shape in shapes.items()}


def _pair(weights, a: int, b: int):
    return {"model_a": {"n_head": a, **weights}, "model_b": {"n_head": b, **weights}}


def _moved(weights, n_head: int, at: int):
    other = weights["pos"].copy()
    other[at] += 1.0
    head = weights["head"].copy()
    head[0] = 0.0  # one logit agrees everywhere, which must not count as agreement
    pair = _pair(weights | {"head": head}, n_head, n_head)
    return pair | {"model_b": pair["model_b"] | {"pos": other}}


def _faint(rng, first: int):
    """Models that look at no other token. Logits differ a little at three letters: at the ends, up and down; one alone;
    all but the ends.

    Differences that are added up cancel at the first, averages are small at the first two.
    """
    weights = _random(rng, C=24)
    weights["out"] = np.zeros_like(weights["out"])
    pushes = np.zeros((10, 3))  # a column for each of the letters
    pushes[[0, -1], 0], pushes[2, 1], pushes[1:-1, 2] = (0.03, -0.03), 0.06, np.linspace(0.02, 0.08, 8)
    tok = weights["tok"].copy()
    tok[first : first + 3] += (np.linalg.pinv(weights["head"]) @ pushes).T.astype(np.float32)
    pair = _pair(weights, 4, 4)
    return pair | {"model_b": pair["model_b"] | {"tok": tok}}


def _renumbered(weights, n_head: int):
    """The heads of every layer in reverse order: rows of qkv and columns of out move together."""
    C = weights["out"].shape[-1]
    order = np.arange(C).reshape(n_head, -1)[::-1].ravel()
    rows = np.concatenate([order, C + order, 2 * C + order])
    pair = _pair(weights, n_head, n_head)
    moved = {"qkv": weights["qkv"][:, rows], "out": weights["out"][:, :, order]}
    return pair | {"model_b": pair["model_b"] | moved}
