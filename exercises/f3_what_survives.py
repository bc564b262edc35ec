"""F3. What survives.

Goal
    Two models hold the same weights; one was told the right number of heads and the other was not. Find the positions
    at which their answers still agree, and say why.

Shapes
    tokens           (1, T)     one sequence
    model(tokens)    (1, T, V)  for every position the logits of the next token, one for each of V
    result           list[int]  the positions 0 .. T-1, in order, at which all V logits agree

    Two runs of one and the same model may differ in the last digits: sums of float32 numbers depend on their order.
    Positions agree when nothing but rounding lies between them. Both models are ready to be called.

Example
    A model that counts and one that counts backwards agree on the token in the middle:

    >>> def count(tokens):
    ...     return torch.stack([tokens, tokens], dim=-1).float()
    >>> surviving_positions(count, lambda tokens: count(4 - tokens), torch.arange(5)[None])
    [2]

Question
    The checkpoint with 16 heads runs as 12, through two layers of attention, and position 0 gives the right logits.
    Why?

    A  Channels 0 .. 47 belong to head 0 in both models, so the first head of the first token is cut alike.
    B  The first token has small scores, and small scores hardly feel the other scale.
    C  It can only look at itself: any softmax over one score is 1, so all its values pass, wherever heads are cut.
    D  Attention adds nothing at the first position; the residual stream, x itself to which every layer adds, carries
       the token to the output alone.
"""

from collections.abc import Callable

import torch


def surviving_positions(
    model_a: Callable[[torch.Tensor], torch.Tensor],
    model_b: Callable[[torch.Tensor], torch.Tensor],
    tokens: torch.Tensor,
) -> list[int]:
    """The positions of tokens (1, T) at which both models give the same logits, up to rounding."""
    raise NotImplementedError("surviving_positions is not written yet")


def why_it_survives() -> str:
    """Why position 0 survives: "A", "B", "C" or "D"."""
    raise NotImplementedError("why_it_survives is not written yet")
