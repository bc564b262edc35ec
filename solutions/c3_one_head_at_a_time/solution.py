"""C3. One head at a time.

Goal
    The module works on all heads at once, which is fast and hides what a single head does. Compute the same numbers
    in the slow and plain way: a loop in which every head has its own small projections, and nothing but slices.

Shapes
    x           (B, T, C)  batch, tokens, width
    qkv_weight  (3C, C)    all rows for the queries, then all rows for the keys, then all rows for the values
    out_weight  (C, C)     used as torch.nn.Linear does: y @ out_weight.T
    result      (B, T, C)

    Head i owns d = C // n_heads rows of each third of qkv_weight, rows i*d to (i+1)*d - 1. A row makes one channel and
    reads all C channels of a token: the heads divide the outputs of the projections among themselves, not the inputs.
    With its q, k and v, each (B, T, d), a head does ordinary causal attention, scaled by sqrt(d).

    The results of the heads stand side by side, head 0 first. Only then does out_weight let the heads meet: its columns
    i*d to (i+1)*d - 1 say what the others get to know from head i.

Example
    One token with 4 channels, 2 heads. It can only look at itself, so each head hands on its own values. Here the
    projections copy the token, and out_weight changes nothing.

    >>> x = torch.tensor([[[1.0, 2.0, 3.0, 4.0]]])
    >>> copy = torch.eye(4)
    >>> qkv_weight = torch.cat([copy, copy, copy])
    >>> mha_by_loop(x, qkv_weight, copy, 2).tolist()
    [[[1.0, 2.0, 3.0, 4.0]]]

    Without the value rows of head 1, only its half of the channels falls silent.

    >>> qkv_weight[8 + 2 : 8 + 4] = 0.0
    >>> mha_by_loop(x, qkv_weight, copy, 2).tolist()
    [[[1.0, 2.0, 0.0, 0.0]]]
"""

import math

import torch


def mha_by_loop(x: torch.Tensor, qkv_weight: torch.Tensor, out_weight: torch.Tensor, n_heads: int) -> torch.Tensor:
    """Causal multi-head attention over x (B, T, C), head by head; the result has the shape and dtype of x.

    n_heads divides C.
    """
    ### BEGIN SOLUTION
    T, C = x.shape[1:]
    d = C // n_heads
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(diagonal=1)  # (T, T)
    heads = []
    for i in range(n_heads):
        rows = slice(i * d, (i + 1) * d)
        q, k, v = (x @ third[rows].T for third in qkv_weight.split(C))  # each (B, T, d)
        scores = q @ k.transpose(-2, -1) / math.sqrt(d)  # (B, T, T)
        weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)  # (B, T, T)
        heads.append(weights @ v)  # (B, T, d)
    return torch.cat(heads, dim=-1) @ out_weight.T  # (B, T, C)
    ### END SOLUTION
