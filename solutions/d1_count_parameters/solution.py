"""D1. Count the parameters.

Goal
    Say how many numbers a multi-head attention layer learns, before building it. The layer has four projections: one
    each for queries, keys and values, and W_O behind the merged heads. Find out what the head count does to the sum.

Shapes
    One head maps the C channels of a token to d = C // h numbers, three times over (query, key, value). It reads the
    whole token, not only its own slice of it.

    per head       3 * C * d    three projections from width C to d
    W_O            C * C        from the h merged heads, h * d = C wide, back to C
    bias=True      one number more for every output of every projection

    A mask is the same for every input and is never trained, and scores are computed anew for every sequence: neither is
    a parameter.

Example
    Width 32 and 4 heads of 8 channels, as in the layer of C2.

    >>> 3 * 32 * 8                     # one head
    768
    >>> 4 * 768                        # four heads
    3072
    >>> 32 * 32                        # W_O
    1024
    >>> count_parameters(32, 4)
    4096
    >>> [count_parameters(32, n_heads) for n_heads in (1, 2, 8, 32)]
    [4096, 4096, 4096, 4096]

    More heads means more attention patterns, cut from the same weights.
"""


def count_parameters(d_model: int, n_heads: int, bias: bool = False) -> int:
    """How many parameters an attention layer of width d_model with n_heads heads learns, W_O included.

    n_heads divides d_model. With bias=True all four projections have a bias, otherwise none has one.
    """
    ### BEGIN SOLUTION
    d_head = d_model // n_heads
    heads = n_heads * 3 * (d_model + bias) * d_head  # q, k and v of every head
    output = (d_model + bias) * d_model  # W_O
    return heads + output
    ### END SOLUTION
