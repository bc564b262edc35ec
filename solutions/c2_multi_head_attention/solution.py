"""C2. Multi-head attention.

Goal
    Put the pieces together: one module that projects, splits, attends, merges and projects again. All heads run in
    the same few matrix products; no loop over heads is needed, because a head is just one more axis beside the batch.

Shapes
    x            (B, T, C)     batch, tokens, width
    qkv.weight   (3C, C)       rows 0 .. C-1 make the queries, the next C the keys, the last C the values
    q, k, v      (B, h, T, d)  d = C // h channels for each head
    scores       (B, h, T, T)  row: the token that looks; column: the token that is looked at
    result       (B, T, C)     the heads side by side again, mixed by out.weight (C, C)

    Two names are a promise to whoever loads a checkpoint: the fused projection is called `qkv`, the last one `out`,
    both without bias. Everything else is yours to arrange. A grader, like a checkpoint, copies its weights in by these
    names, so neither the starting values nor the order in which the layers are made matters.

    A token may look at itself and at earlier tokens only: changing token t must leave the outputs before t untouched.

Example
    Width 32 and 4 heads of size 8. The answer has the shape of the input, so modules can be stacked.

    >>> mha = MultiHeadAttention(32, 4)
    >>> tuple(mha(torch.zeros(2, 6, 32)).shape)
    (2, 6, 32)
    >>> sum(p.numel() for p in mha.parameters())  # 3 * 32 * 32 for q, k and v, 32 * 32 for the output
    4096
    >>> sum(p.numel() for p in MultiHeadAttention(32, 8).parameters())  # more heads, no more parameters
    4096
    >>> x = torch.eye(3, 32)[None]  # one sequence of 3 tokens
    >>> changed = x.clone()
    >>> changed[0, 1] += 1.0  # token 1 becomes another token
    >>> (mha(x) != mha(changed)).any(dim=-1).tolist()  # token 0 came before and does not notice
    [[False, True, True]]
"""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Causal self-attention with n_heads heads of size d_model // n_heads.

    Raise a ValueError when n_heads does not divide d_model.
    """

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        if d_model % n_heads:
            raise ValueError(f"width {d_model} cannot be cut into {n_heads} equal heads")
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Attend within each sequence of x (B, T, C); the result has the same shape and dtype."""
        ### BEGIN SOLUTION
        B, T, C = x.shape
        d = C // self.n_heads
        q, k, v = self.qkv(x).split(C, dim=-1)  # each (B, T, C)
        q, k, v = (t.view(B, T, self.n_heads, d).transpose(1, 2) for t in (q, k, v))  # each (B, h, T, d)
        scores = q @ k.transpose(-2, -1) / math.sqrt(d)  # (B, h, T, T)
        future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(diagonal=1)  # (T, T)
        weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)  # (B, h, T, T)
        y = (weights @ v).transpose(1, 2).reshape(B, T, C)  # (B, T, C)
        return self.out(y)  # (B, T, C)
        ### END SOLUTION
