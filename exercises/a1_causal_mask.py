"""A1. Who may look where.

Goal
    A model that predicts the next token must not see it. So every token gets a rule: it may look at itself and at
    everything before it, never at anything after it. Written down for all tokens at once, the rule is a square of
    True and False, the causal mask. Write the function that draws it for T tokens.

Shapes
    T          int           how many tokens, 1 or more
    result     (T, T) bool   row: the token that looks; column: the token it looks at; True: it may look

    Read one row at a time. Row 0 is the first token: it has only itself. The last row is the last token: nothing is
    hidden from it. Libraries do not agree on what True means; some masks mark what is forbidden. In this course
    True always means "may look".

    Work in NumPy or in torch, as you like. A file that imports torch is handed tensors and must return tensors.

Example
    Three tokens. Token 1 (the middle row) sees token 0 and itself, and token 2 is still to come.

    >>> for row in causal_mask(3).tolist():
    ...     print(row)
    [True, False, False]
    [True, True, False]
    [True, True, True]

    A sequence of one token still has one row: a token may always look at itself.

    >>> causal_mask(1).tolist()
    [[True]]
"""

import numpy as np


def causal_mask(T: int) -> np.ndarray:
    """Return the (T, T) bool mask of T tokens: entry (i, j) is True where token i may look at token j."""
    raise NotImplementedError("causal_mask is not written yet")
