"""F5. Recover the head count from outputs.

Goal
    Somebody lost the configuration of an attention layer. What is left are its two weights, one input, and the output
    it gave when it was still used rightly. Work out its number of heads.

Shapes
    qkv_weight  (3C, C)    rows 0 .. C-1 make the queries, the next C the keys, the last C the values
    out_weight  (C, C)     the output projection
    x           (1, T, C)  one sequence
    y           (1, T, C)  what the layer made of it: causal attention, no bias
    result      int        the one head count that divides C and gives y from x, up to rounding

    The loop of C3, mha_by_loop(x, qkv_weight, out_weight, n_heads), is the tool: copy it into this file.

    Sometimes the output cannot tell. A single token attends to itself alone, and every head count gives the same. Raise
    a ValueError whenever several head counts fit, or none, instead of picking one.

Example
    >>> torch.manual_seed(0) and None
    >>> qkv_weight, out_weight = torch.randn(36, 12) / 3, torch.randn(12, 12) / 3
    >>> x = torch.randn(1, 5, 12)
    >>> recover_n_head(qkv_weight, out_weight, x, mha_by_loop(x, qkv_weight, out_weight, 3))
    3
    >>> recover_n_head(qkv_weight, out_weight, x[:, :1], mha_by_loop(x[:, :1], qkv_weight, out_weight, 3))
    Traceback (most recent call last):
    ...
    ValueError: cannot tell: 1, 2, 3, 4, 6 and 12 heads all give this output
"""

import math

import torch


def mha_by_loop(x: torch.Tensor, qkv_weight: torch.Tensor, out_weight: torch.Tensor, n_heads: int) -> torch.Tensor:
    """Causal attention of x (B, T, C) with n_heads heads, as in C3."""
    ### BEGIN SOLUTION
    T, C = x.shape[-2:]
    d = C // n_heads
    future = torch.ones(T, T, dtype=torch.bool).triu(diagonal=1)  # (T, T)
    heads = []
    for i in range(n_heads):
        w_q, w_k, w_v = (third[i * d : (i + 1) * d] for third in qkv_weight.split(C))  # each (d, C)
        scores = (x @ w_q.T) @ (x @ w_k.T).transpose(-2, -1) / math.sqrt(d)  # (B, T, T)
        weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)  # (B, T, T)
        heads.append(weights @ (x @ w_v.T))  # (B, T, d)
    return torch.cat(heads, dim=-1) @ out_weight.T  # (B, T, C)
    ### END SOLUTION


def recover_n_head(qkv_weight: torch.Tensor, out_weight: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> int:
    """The head count of the layer that made y of x.

    Raise a ValueError when not exactly one head count fits.
    """
    ### BEGIN SOLUTION
    C = x.shape[-1]
    fits = []
    for n_heads in range(1, C + 1):
        if C % n_heads == 0:
            again = mha_by_loop(x, qkv_weight, out_weight, n_heads)  # (1, T, C)
            if torch.allclose(again, y, rtol=1e-4, atol=1e-4):
                fits.append(n_heads)
    if not fits:
        raise ValueError("cannot tell: no head count gives this output")
    if len(fits) > 1:
        *others, last = fits
        raise ValueError(f"cannot tell: {', '.join(map(str, others))} and {last} heads all give this output")
    return fits[0]
    ### END SOLUTION
