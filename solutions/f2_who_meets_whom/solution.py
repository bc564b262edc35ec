"""F2. Who meets whom.

Goal
    A model of width 768 was trained with 16 heads and loaded with 12. Every weight matrix fits, nothing complains, and
    the loaded model cuts its channels at other places. Say which head a channel belongs to, and which trained heads
    end up together in one loaded head.

Shapes
    view(B, T, h, d) cuts the C channels of a token into h blocks of d = C // h neighbours:

    channels   0 1 2 3 | 4 5 6 7 | 8 9 10 11       C = 12, h = 3, d = 4
    head          0    |    1    |     2

    Channels and heads are both numbered from 0. Cut for 16 heads, 768 channels make blocks of 48; cut for 12 heads,
    blocks of 64. Loaded head 0 takes channels 0 .. 63: all 48 of trained head 0, and the first 16 of trained head 1.

Example
    >>> [head_of_channel(c, 12, 3) for c in range(12)]
    [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    >>> mixture(0, 768, h_trained=16, h_loaded=12)
    {0: 48, 1: 16}

    Both cuts meet again every 192 channels (4 * 48 = 3 * 64), so the pattern of three loaded heads repeats four times.
    Few channels keep the number of their head:

    >>> sum(head_of_channel(c, 768, 16) == head_of_channel(c, 768, 12) for c in range(768))
    96

    The scale changes too, from 1/sqrt(48) to 1/sqrt(64) = 1/8, but it is the mixing that does the damage: a loaded
    head adds up products q * k of two trained heads and makes one softmax of them.
"""


def head_of_channel(c: int, d_model: int, n_head: int) -> int:
    """The head, counted from 0, that channel c of 0 .. d_model - 1 belongs to. n_head divides d_model."""
    ### BEGIN SOLUTION
    return c // (d_model // n_head)
    ### END SOLUTION


def mixture(j: int, C: int, h_trained: int, h_loaded: int) -> dict[int, int]:
    """How many channels loaded head j takes from each trained head, as {trained head: channels}.

    Both head counts divide the width C. Trained heads that give nothing to head j are left out.
    """
    ### BEGIN SOLUTION
    d_loaded = C // h_loaded
    channels: dict[int, int] = {}
    for c in range(j * d_loaded, (j + 1) * d_loaded):
        trained = head_of_channel(c, C, h_trained)
        channels[trained] = channels.get(trained, 0) + 1
    return channels
    ### END SOLUTION
