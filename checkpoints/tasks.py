"""What the checkpoints were trained on: sequences drawn without end, and which of their tokens can be predicted.

Each task is a function of a batch size and a NumPy generator. It returns tokens (B, T + 1) and a mask of the same shape
that is True where a token follows from those before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Batch: TypeAlias = tuple[NDArray[np.int64], NDArray[np.bool_]]
Task: TypeAlias = Callable[[int, np.random.Generator], Batch]

LETTERS = 16
"""Tokens 0 .. 15 in every task."""
LAGS = 16
LOOK_BACK_TOKENS = 48
HALF = 12
REPEATS_TOKENS = 24


def look_back(batch: int, rng: np.random.Generator) -> Batch:
    """Random letters, now and then the question 16 + k, which is answered by the token that stood k + 1 before it."""
    tokens = rng.integers(LETTERS, size=(batch, LOOK_BACK_TOKENS + 1))
    follows = np.zeros(tokens.shape, bool)
    asks = rng.random(tokens.shape) < 0.4
    lags = rng.integers(LAGS, size=tokens.shape)
    for t in range(LAGS + 1, LOOK_BACK_TOKENS):
        rows = np.flatnonzero(asks[:, t] & ~follows[:, t])
        tokens[rows, t] = LETTERS + lags[rows, t]
        tokens[rows, t + 1] = tokens[rows, t - 1 - lags[rows, t]]
        follows[rows, t + 1] = True
    return tokens, follows


def copy(batch: int, rng: np.random.Generator) -> Batch:
    """Twelve random letters, and the same twelve again."""
    half = rng.integers(LETTERS, size=(batch, HALF))
    tokens = np.concatenate([half, half], axis=1)
    return tokens, np.tile(np.arange(2 * HALF) >= HALF, (batch, 1))


def repeats(batch: int, rng: np.random.Generator) -> Batch:
    """A random word of 7 to 11 different letters over and over; each sequence has its own period.

    With one period for all, position alone would tell where to look, and no head would have to find the last
    occurrence of the present token.
    """
    periods = rng.integers(7, 12, size=(batch, 1))
    words = rng.permuted(np.tile(np.arange(LETTERS), (batch, 1)), axis=1)
    places = np.arange(REPEATS_TOKENS + 1)
    return np.take_along_axis(words, places % periods, axis=1), places > periods
