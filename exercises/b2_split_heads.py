"""B2. Split the width into heads.

Goal
    A model of width C with h heads does not run h models. It cuts the C channels of every token into h groups of
    d = C // h and lets each group do its own attention. Channels 0 .. d-1 belong to head 0, the next d to head 1,
    and so on. Write the cut.

Shapes
    x          (B, T, C)     batch, tokens, width
    result     (B, h, T, d)  the heads stand next to the batch, so one batched matmul serves all of them

    `view` and `reshape` keep all numbers in their reading order and only draw the borders anew. The C channels of one
    token follow each other, so they can be cut into (h, d) in place. The head axis then has to change places with the
    token axis, and that changes the order: it is a transpose, not a reshape. Asking `reshape` for (B, h, T, d) at once
    gives the right shape filled with the wrong numbers, and nothing complains.

Example
    One sequence, 3 tokens, width 4, 2 heads. Token 0 holds 0 1 2 3, token 1 holds 4 5 6 7, token 2 holds 8 9 10 11.

    >>> x = torch.arange(12.0).view(1, 3, 4)
    >>> heads = split_heads(x, 2)
    >>> tuple(heads.shape)
    (1, 2, 3, 2)
    >>> heads[0, 0].tolist()  # head 0: the first half of every token
    [[0.0, 1.0], [4.0, 5.0], [8.0, 9.0]]
    >>> heads[0, 1].tolist()
    [[2.0, 3.0], [6.0, 7.0], [10.0, 11.0]]
"""

import torch


def split_heads(x: torch.Tensor, n_heads: int) -> torch.Tensor:
    """Cut the channels of x (B, T, C) into heads: (B, n_heads, T, C // n_heads), in the dtype of x.

    Raise a ValueError when n_heads does not divide C: no channel may be dropped silently.
    """
    raise NotImplementedError("split_heads is not written yet")
