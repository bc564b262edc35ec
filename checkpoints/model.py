"""The one architecture of all checkpoints: embeddings, attention layers on a residual stream, a readout.

No parameter's shape depends on the number of heads, so a state dict loads with `strict=True` for every head count that
divides the width.
"""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional


class Attention(nn.Module):
    """Causal self-attention: x (B, T, width) to (B, T, width).

    Queries, keys and values are `inner` wide, which is the width itself in every ordinary state dict. While a
    checkpoint is trained they may be wider than the residual stream; `checkpoints.store.inflate` tells why.
    """

    def __init__(self, width: int, n_head: int, inner: int | None = None) -> None:
        super().__init__()
        inner = inner or width
        if inner % n_head:
            raise ValueError(f"width {inner} cannot be cut into {n_head} equal heads")
        self.n_head = n_head
        self.qkv = nn.Linear(width, 3 * inner, bias=False)
        self.out = nn.Linear(inner, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Attend within each sequence of the batch."""
        q, k, v = (part.unflatten(-1, (self.n_head, -1)) for part in self.qkv(x).chunk(3, dim=-1))  # (B, T, h, d)
        mixed = torch.einsum("bhqk,bkhd->bqhd", self.weights(q, k), v)
        return self.out(mixed.flatten(-2))  # type: ignore[no-any-return]

    def weights(self, q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        """How much each token looks at which: (B, h, T, T) from queries and keys (B, T, h, d)."""
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
        future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(diagonal=1)
        return scores.masked_fill(future, -math.inf).softmax(dim=-1)


class LanguageModel(nn.Module):
    """Tokens (B, T) to the logits (B, T, vocabulary) of each next token."""

    def __init__(
        self, vocabulary: int, context: int, width: int, n_head: int, layers: int = 1, inner: int | None = None
    ) -> None:
        super().__init__()
        self.tok = nn.Embedding(vocabulary, width)
        self.pos = nn.Embedding(context, width)
        self.blocks = nn.ModuleList(Attention(width, n_head, inner) for _ in range(layers))
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Read a batch of sequences of at most `context` tokens."""
        x = self.tok(tokens) + self.pos.weight[: tokens.shape[-1]]
        for block in self.blocks:
            x = x + block(functional.rms_norm(x, x.shape[-1:]))
        return self.head(x)  # type: ignore[no-any-return]
