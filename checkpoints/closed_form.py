"""A checkpoint of width 768 that nobody trained: sixteen heads, each set by hand to look a fixed number of tokens back.

The 768 channels hold 48 one-hot positions, 16 one-hot tokens, 16 places where votes are counted, and zeros. Head k owns
48 channels; its query at position p asks for position p - k - 1, so it looks exactly k + 1 tokens back. Its values copy
the token it finds, and the output adds `votes[k]` to the logit of that token. Sequences are drawn from exactly this
rule, so no model can predict them better than this one, as long as it is loaded with 16 heads.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray

from checkpoints.tasks import Batch

WIDTH, HEADS, CONTEXT, LETTERS = 768, 16, 48, 16
VOTES = 5.0 * np.random.default_rng(14).standard_normal(HEADS)
"""What each lag counts for; some lags speak for the token they see and some against it."""
SHARPNESS = 14.0
"""The score of the token looked at, above all others, once scaled: e^14 is more than a million to one."""


def state_dict(votes: NDArray[np.float64] = VOTES, sharpness: float = SHARPNESS) -> dict[str, torch.Tensor]:
    """The weights, ready for `LanguageModel(16, 48, 768, n_head=16)` and every other head count."""
    d = WIDTH // HEADS
    q, k, v, out = (torch.zeros(WIDTH, WIDTH) for _ in range(4))
    tok, pos, head = torch.zeros(LETTERS, WIDTH), torch.zeros(CONTEXT, WIDTH), torch.zeros(LETTERS, WIDTH)
    letters, positions = torch.arange(LETTERS), torch.arange(CONTEXT)
    seen, counted = CONTEXT + letters, CONTEXT + LETTERS + letters  # the channels of tokens, and of votes
    pos[positions, positions] = tok[letters, seen] = head[letters, counted] = 1.0
    # Every x holds two ones, so its root mean square is sqrt(2 / 768), and the model divides by that.
    one = math.sqrt(2 / WIDTH)
    for i in range(HEADS):
        first, lag = i * d, i + 1
        k[first + positions, positions] = one
        q[first + positions[:-lag], positions[lag:]] = one * sharpness * math.sqrt(d)
        v[first + letters, seen] = one
        out[counted, first + letters] = float(votes[i])
    return {
        "tok.weight": tok, "pos.weight": pos, "blocks.0.qkv.weight": torch.cat([q, k, v]),
        "blocks.0.out.weight": out, "head.weight": head,
    }  # fmt: skip


def process(batch: int, rng: np.random.Generator, votes: NDArray[np.float64] = VOTES) -> Batch:
    """Sequences (B, 49) of the process. Counted are the tokens for which all sixteen lags lie in the sequence."""
    tokens = np.zeros((batch, CONTEXT + 1), np.int64)
    tokens[:, 0] = rng.integers(LETTERS, size=batch)
    for t in range(1, CONTEXT + 1):
        chances = np.exp(oracle(tokens[:, :t], votes)[:, -1])
        tokens[:, t] = (chances.cumsum(axis=1) < rng.random((batch, 1))).sum(axis=1).clip(max=LETTERS - 1)
    return tokens, np.tile(np.arange(CONTEXT + 1) > HEADS, (batch, 1))


def oracle(tokens: NDArray[np.int64], votes: NDArray[np.float64] = VOTES) -> NDArray[np.float64]:
    """The log chances (B, T, 16) of every next token: the best that anybody can know."""
    seen = np.eye(LETTERS)[tokens]  # (B, T, 16)
    logits = np.zeros(seen.shape)
    for lag, vote in zip(range(1, seen.shape[1]), votes, strict=False):
        logits[:, lag:] += vote * seen[:, :-lag]
    logits -= logits.max(axis=-1, keepdims=True)
    return np.asarray(logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True)))
