"""F7. Translate a checkpoint.

Goal
    Every code base stores its attention weights in an order of its own, and all of them have the same shapes. Bring two
    common foreign orders into the one of this course, so that the translated layer gives exactly what the foreign one
    gave.

Shapes
    qkv_weight  (3C, C)  rows: what makes the queries, keys and values
    out_weight  (C, C)   columns: the channels of the merged heads

    This course stores the rows of qkv_weight as (3, h, d): all queries, all keys, all values, and within each the d
    channels of head 0, then those of head 1, and so on. The columns of out_weight are (h, d).

    interleaved    rows (3, d, h): within queries, keys and values first the channel 0 of every head, then the channel 1
                   of every head. Its heads are merged in the same order, so the columns of out_weight are (d, h).
    per head       rows (h, 3, d): the queries, keys and values of head 0, then those of head 1. Its heads are merged as
                   here, so out_weight stays what it is.

Example
    Two heads of three channels. Each row of this weight holds its own number:

    >>> rows = torch.arange(18.0)[:, None] * torch.ones(6)
    >>> from_per_head(rows, 2)[:, 0].tolist()
    [0.0, 1.0, 2.0, 9.0, 10.0, 11.0, 3.0, 4.0, 5.0, 12.0, 13.0, 14.0, 6.0, 7.0, 8.0, 15.0, 16.0, 17.0]
    >>> qkv_weight, out_weight = from_interleaved(rows, rows[:6].T, 2)
    >>> qkv_weight[:6, 0].tolist()  # the queries
    [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]
    >>> out_weight[0].tolist()  # the columns, in one row
    [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]
"""

import torch


def from_interleaved(
    qkv_weight: torch.Tensor, out_weight: torch.Tensor, n_heads: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same layer with rows (3, h, d) and columns (h, d), from rows (3, d, h) and columns (d, h)."""
    ### BEGIN SOLUTION
    C = out_weight.shape[0]
    qkv_weight = qkv_weight.reshape(3, C // n_heads, n_heads, C).transpose(1, 2).reshape(3 * C, C)
    out_weight = out_weight.reshape(C, C // n_heads, n_heads).transpose(1, 2).reshape(C, C)
    return qkv_weight, out_weight
    ### END SOLUTION


def from_per_head(qkv_weight: torch.Tensor, n_heads: int) -> torch.Tensor:
    """The same rows in the order (3, h, d), from (h, 3, d)."""
    ### BEGIN SOLUTION
    C = qkv_weight.shape[1]
    return qkv_weight.reshape(n_heads, 3, C // n_heads, C).transpose(0, 1).reshape(3 * C, C)
    ### END SOLUTION
