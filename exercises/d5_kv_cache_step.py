"""D5. One step with a KV cache.

Goal
    A model that writes a text gets its tokens a few at a time: first the whole prompt, then one new token after the
    other. The keys and values of earlier tokens never change, since no token looks ahead. So keep them, and compute
    only what is new. Together the steps give exactly what grouped-query attention (D4) gives for the whole text.

Shapes
    x_new      (B, S, C)            the S tokens that are new; S may be anything from 1 up, also later on
    weights    [wq, wk, wv, wo]     as in D4: (C, C), (n_kv_heads * d, C) twice, (C, C), used as x @ wq.T
    y          (B, S, C)            the results of the new tokens alone
    cache                           what the next step has to know; None when the text begins

    How the cache is built is yours to choose: a tuple, a list, a dict or one tensor. It holds the keys and values of
    all tokens so far, 2 * B * n_kv_heads * T * d numbers after T tokens, and nothing else; copies for the members of a
    group are made when they are needed, since the cache is what fills the memory.

    New token s of S is token T - S + s of the text, so it may look at T - S + s + 1 keys: all the old ones, the new
    ones before it, and itself.

    The checks feed whole texts in chunks. In a message, chunks=[3, 1, 2] stands for three calls with 3 tokens, 1 and 2,
    and chunk 1 is the second of them; other_x is another text, whose calls take turns with those of the first.

Example
    >>> x = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
    >>> copy = torch.eye(2)
    >>> weights = [0 * copy, copy, copy, copy]  # without queries every token averages all that it may look at

    The prompt has two tokens; the third one comes alone.

    >>> y, cache = step(x[:, :2], weights, n_heads=2, n_kv_heads=2)
    >>> y.tolist()
    [[[1.0, 0.0], [0.5, 0.5]]]
    >>> y, cache = step(x[:, 2:], weights, n_heads=2, n_kv_heads=2, cache=cache)
    >>> [[round(number, 3) for number in token] for token in y[0].tolist()]
    [[0.667, 0.667]]
"""

import math

import torch


def step(x_new: torch.Tensor, weights: list[torch.Tensor], n_heads: int, n_kv_heads: int, cache=None):
    """Causal grouped-query attention for S new tokens (B, S, C), given the cache of the earlier ones.

    Returns y (B, S, C), in the dtype of x_new, and the cache for the next step.
    """
    raise NotImplementedError("step is not written yet")
