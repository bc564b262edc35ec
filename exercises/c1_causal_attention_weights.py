"""C1. Attention weights of all heads at once.

Goal
    Every token asks (its query) and every token offers (its key). How well they fit is their dot product, divided by
    sqrt(d) so that wide heads do not end up with huge scores. A token may look at itself and at what came before, never
    ahead. A softmax turns the scores of one token into shares that sum to 1. Write it once, for all sequences and all
    heads together: every step works on the last two axes and leaves (B, h) alone.

Shapes
    q, k       (B, h, T, d)  queries and keys, already cut into heads; d is the size of one head, not the width C
    result     (B, h, T, T)  row i: how token i shares its attention out among the tokens 0 .. i

    The future has to be taken out before the softmax. Afterwards it has already taken its share, and setting it to 0
    leaves rows that sum to less than 1. A score of 0 is a score like any other (its exponential is 1), so a forbidden
    score becomes -inf. Mind the direction of a mask: torch.tril of ones marks who may look, torch.triu(..., diagonal=1)
    marks what is forbidden, and masked_fill writes where its mask is True. It returns a new tensor.

Example
    Three tokens and one head of size 4, so sqrt(d) is 2. Every query is (2 ln 3, 0, 0, 0); only the key of token 1
    answers it, with a score of ln 3, which counts 3 times as much as a score of 0.

    >>> q = torch.zeros(1, 1, 3, 4, dtype=torch.float64)
    >>> q[..., 0] = 2 * math.log(3)
    >>> k = torch.zeros(1, 1, 3, 4, dtype=torch.float64)
    >>> k[0, 0, 1, 0] = 1
    >>> causal_attention_weights(q, k)[0, 0].round(decimals=4).tolist()
    [[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.2, 0.6, 0.2]]

    Without the division the score would be 2 ln 3 = ln 9, and row 1 would read 0.1 and 0.9.
"""

import math

import torch


def causal_attention_weights(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """The attention weights (B, h, T, T) of q and k (B, h, T, d), in the dtype of q.

    Rows sum to 1 and the future gets exactly 0, for any T from 1 up and for scores of any size. q and k stay as they
    are.
    """
    raise NotImplementedError("causal_attention_weights is not written yet")
