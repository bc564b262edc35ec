"""B3. Merge the heads again.

Goal
    After attention every head holds its own result for every token. Put them side by side again, so that each token
    is one row of width C: first the d channels of head 0, then those of head 1, and so on. Nothing is added up or
    averaged here; mixing the heads is the work of the output projection that comes next.

Shapes
    y          (B, h, T, d)  batch, heads, tokens, head size
    result     (B, T, C)     C = h * d, the inverse of split_heads

    The heads of one token do not follow each other in the reading order of y: between them lie all the other tokens.
    So the axes have to change places before the last two can be joined. `transpose` moves no number in memory, it
    only changes the order in which the same memory is read. `view` wants the numbers to lie in reading order (the
    tensor is then called contiguous) and refuses otherwise; `reshape` copies them where it has to.

    Leave the transpose out and the shape is right all the same, but rows are then built from neighbouring tokens of
    one head. In a causal model this hands information from later tokens to earlier ones.

Example
    The two heads of 3 tokens of width 4. Token 0 was 0 1 2 3, token 1 was 4 5 6 7, token 2 was 8 9 10 11.

    >>> y = torch.tensor([[[[0.0, 1.0], [4.0, 5.0], [8.0, 9.0]], [[2.0, 3.0], [6.0, 7.0], [10.0, 11.0]]]])
    >>> tuple(y.shape)
    (1, 2, 3, 2)
    >>> merge_heads(y)[0].tolist()
    [[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]
    >>> y.reshape(1, 3, 4)[0, 0].tolist()  # without the transpose, token 0 contains channels of token 1
    [0.0, 1.0, 4.0, 5.0]
"""

import torch


def merge_heads(y: torch.Tensor) -> torch.Tensor:
    """Put the heads of y (B, h, T, d) side by side: (B, T, h * d), head 0 first, in the dtype of y."""
    raise NotImplementedError("merge_heads is not written yet")
