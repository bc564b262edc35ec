"""D4. Grouped-query attention.

Goal
    Let several query heads share one head of keys and values. Everything else is the attention you know: the same
    scale, the same mask, the same merge. With n_kv_heads = n_heads it is multi-head attention; with n_kv_heads = 1
    every query head looks at the same keys.

Shapes
    x             (B, T, C)
    wq, wo        (C, C)               weights are used as torch.nn.Linear does: x @ wq.T
    wk, wv        (n_kv_heads * d, C)  d = C // n_heads, the same for queries, keys and values
    q             (B, n_heads, T, d)
    k, v          (B, n_kv_heads, T, d), each head shared by n_heads // n_kv_heads query heads
    result        (B, T, C)

    Neighbours share: with 6 query heads and 3 heads of keys and values,

    query head           0  1  2  3  4  5
    key and value head   0  0  1  1  2  2

Example
    One token with 4 channels and 4 heads of one channel, in two groups. It can only look at itself, so every head
    hands on a value: heads 0 and 1 the first one, heads 2 and 3 the second.

    >>> x = torch.tensor([[[1.0, 2.0, 3.0, 4.0]]])
    >>> copy = torch.eye(4)
    >>> gqa(x, copy, copy[:2], copy[:2], copy, n_heads=4, n_kv_heads=2).tolist()
    [[[1.0, 1.0, 2.0, 2.0]]]

    Sharing is the same as having equal rows: with the rows of wk and wv copied for every member of a group, plain
    multi-head attention gives the same numbers.

    >>> twice = copy[[0, 0, 1, 1]]
    >>> gqa(x, copy, twice, twice, copy, n_heads=4, n_kv_heads=4).tolist()
    [[[1.0, 1.0, 2.0, 2.0]]]
"""

import math

import torch


def gqa(
    x: torch.Tensor,
    wq: torch.Tensor,
    wk: torch.Tensor,
    wv: torch.Tensor,
    wo: torch.Tensor,
    n_heads: int,
    n_kv_heads: int,
) -> torch.Tensor:
    """Causal grouped-query attention over x (B, T, C); the result has the shape and dtype of x.

    n_heads divides C. Raise a ValueError when n_kv_heads does not divide n_heads.
    """
    ### BEGIN SOLUTION
    if n_heads % n_kv_heads:
        raise ValueError(f"{n_heads} query heads cannot share {n_kv_heads} heads of keys and values evenly")
    B, T, C = x.shape
    d = C // n_heads
    q = (x @ wq.T).view(B, T, n_heads, d).transpose(1, 2)  # (B, h, T, d)
    k, v = ((x @ w.T).view(B, T, n_kv_heads, d).transpose(1, 2) for w in (wk, wv))  # each (B, n_kv, T, d)
    k, v = (t.repeat_interleave(n_heads // n_kv_heads, dim=1) for t in (k, v))  # each (B, h, T, d)
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)  # (B, h, T, T)
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(diagonal=1)  # (T, T)
    weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)  # (B, h, T, T)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ wo.T  # (B, T, C)
    ### END SOLUTION
