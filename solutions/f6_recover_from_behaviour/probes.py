"""Trained models without their head count: two that are shipped, and one that nobody has seen."""

from pathlib import Path

import numpy as np

from autograder.records import Probe

HERE = Path(__file__).resolve().parent
SHIPPED = HERE.parents[1] / "checkpoints"


def shown(rng: np.random.Generator):
    yield _probe("losses", SHIPPED / "copy_16.npz", _copies(rng, 40), "the shipped model, on forty sequences")
    yield _probe(
        "another_model",
        SHIPPED / "copy_8.npz",
        _copies(rng, 12),
        "neither 12 heads nor 16 fit this one",
        safety="the other losses catch as much; a learner can compare two models",
    )
    yield _probe(
        "sixteen",
        SHIPPED / "copy_16.npz",
        _copies(rng, 40),
        "the model of the story",
        answer=True,
        safety="the other models catch as much; this is the answer that everybody expects",
    )
    why = "three sequences: two head counts guess every letter right, and only one is sure of it"
    yield _probe("few_sequences", SHIPPED / "copy_16.npz", _copies(np.random.default_rng(0), 3), why, answer=True)
    yield _probe("not_sixteen", SHIPPED / "copy_8.npz", _copies(rng, 12), "a model with another answer", answer=True)


def hidden(rng: np.random.Generator):
    yield _probe("unseen_losses", HERE / "copy_hidden.npz", _copies(rng, 20), "a model that was never shipped")
    yield _probe("unseen", HERE / "copy_hidden.npz", _copies(rng, 20), "a model that was never shipped", answer=True)


def _probe(name: str, file: Path, tokens, why: str, answer: bool = False, safety: str = ""):
    asked = "recover_n_head_from_loss" if answer else "copy_losses"
    return Probe(
        name=name,
        call=asked,
        builds_on="copy_losses" if answer else "",
        check="recovered" if answer else "losses",
        why=why,
        inputs={"state_dict": _weights(file), "tokens": tokens},
        rtol=1e-3,
        atol=1e-4,
        safety=safety,
    )


def _weights(file: Path):
    with np.load(file, allow_pickle=False) as arrays:
        return {name: arrays[name].astype(np.float32) for name in arrays.files}


def _copies(rng, N: int):
    return np.tile(rng.integers(16, size=(N, 12)), 2)
