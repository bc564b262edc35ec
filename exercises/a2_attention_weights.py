"""A2. From scores to weights.

Goal
    A score says how well a query fits a key; it can be any number. A weight says which share of its attention a token
    spends where, so the weights of one token are never negative and add up to 1. Softmax makes the one from the
    other: exponentiate every score of a row, then divide by the row's sum. Pairs that the mask forbids must end up
    with a weight of exactly 0 while the allowed ones still add up to 1. Write that step for one head.

Shapes
    scores     (T, T) float  row: the token that looks; column: the token it looks at
    may_look   (T, T) bool   True where the row's token may look; every row has at least one True
    result     (T, T) float  the weights, as 32-bit or 64-bit floats

    A score of 0 is a perfectly ordinary score, since exp(0) is 1: it does not mean "ignored". The score that
    vanishes under exp is -inf. At the other end exp overflows: for scores above 709 in 64-bit floats, above 88 in
    32-bit floats. Adding one number to all the scores of a row changes none of its weights, and that gives room to
    keep exp in range. Scores of ten or twenty thousand, of either sign, must still give finite weights. The array
    `scores` belongs to the caller and is left as it is.

    Work in NumPy or in torch, as you like. A file that imports torch is handed tensors and must return tensors.

Example
    The second score of token 0 is large, but forbidden. Token 1 may see both and its scores tie.

    >>> scores = np.array([[0.0, 50.0], [3.0, 3.0]])
    >>> may_look = np.array([[True, False], [True, True]])
    >>> attention_weights(scores, may_look).tolist()
    [[1.0, 0.0], [0.5, 0.5]]

    Scores that differ by ln 3 give weights in the ratio 3 : 1, wherever the two scores lie.

    >>> scores = np.array([[0.0, 0.0], [20_000 + np.log(3), 20_000.0]])
    >>> attention_weights(scores, may_look).round(3).tolist()
    [[1.0, 0.0], [0.75, 0.25]]
"""

import numpy as np


def attention_weights(scores: np.ndarray, may_look: np.ndarray) -> np.ndarray:
    """Turn scores (T, T) into weights (T, T): rows sum to 1, exactly 0 wherever may_look is False.

    Large scores of either sign give finite weights, and the inputs are left unchanged.
    """
    raise NotImplementedError("attention_weights is not written yet")
