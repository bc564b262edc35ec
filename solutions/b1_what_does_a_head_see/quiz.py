"""Goal: see with your own eyes which numbers a head gets, before you write the line that gives them.

One sequence, a few tokens, and numbers that simply count up, so that each says where it came from:
x = np.arange(12).reshape(1, 3, 4) has token 0 = [0, 1, 2, 3], token 1 = [4, 5, 6, 7], token 2 = [8, 9, 10, 11].
With h heads of size d, head 0 takes the first d channels of every token, head 1 the next d, and so on. Lists of lists
may be typed with all their brackets, or without the inner ones.
"""

import numpy as np

from autograder.quiz import Choice, Number, Numbers, OneOf, Shape, Wrong


def head(rng):
    x, h, j = _case(rng)
    _, T, C = x.shape
    d = C // h
    return Numbers(
        ask=f"""
            x = np.arange({x.min()}, {x.max() + 1}).reshape(1, {T}, {C}), and there are {h} heads. What does head {j}
            see (heads count from 0)? Type its {T} rows of {d} numbers.
        """,
        answer=_split(x, h)[0, j].ravel().tolist(),
        says="Every token, and its own block of channels of each.",
        wrong=(
            Wrong(
                x.reshape(1, h, T, d)[0, j].ravel().tolist(),
                "This head eats up whole tokens: a straight reshape cuts the sequence, not the channels.",
                "split-view-no-transpose",
            ),
            Wrong(
                x.reshape(1, T, d, h).transpose(0, 3, 1, 2)[0, j].ravel().tolist(),
                "These channels were dealt out like cards, one to each head in turn. A head is a block of neighbours.",
                "split-interleaved-channels",
            ),
            Wrong(
                _split(x, h)[0, j - 1].ravel().tolist(),
                f"The right cut, but this is head {(j - 1) % h}: heads count from 0.",
            ),
            Wrong(
                _split(x, h)[0, j].T.ravel().tolist(),
                "The right numbers, channel by channel. A row of a head is one token.",
                "split-head-dim-before-time",
            ),
        ),
        otherwise=f"Write the {T} tokens below each other and cut the {C} columns into {h} equal blocks.",
        example="[[20, 21], [24, 25]]",
    )


def shape(rng):
    while True:
        B, T, h, d = (int(size) for size in rng.integers(2, 12, 4))
        if len({B, T, h, d, h * d}) == 5:
            break
    x = np.zeros((B, T, h * d))
    return Shape(
        ask=f"""
            x has shape ({B}, {T}, {h * d}) and is split into {h} heads, laid out so that attention can take each head
            by itself. What is its shape?
        """,
        answer=_split(x, h).shape,
        says="Batch, head, token, channel of the head: the last two are what a matmul works on.",
        wrong=(
            Wrong(
                x.reshape(B, T, h, d).shape,
                "The cut is right, but the heads have to move next to the batch.",
                "split-missing-transpose",
            ),
            Wrong((B, h, T, h * d), "Every head got all the channels; it gets its share.", "split-full-width-heads"),
            Wrong((B, h, d, T), "The last axis has to be the channels of a head.", "split-head-dim-before-time"),
        ),
        otherwise="Four axes: batch, head, token, channels of one head.",
    )


def whose():
    x = np.arange(12).reshape(1, 3, 4)
    seen = [[0, 1], [2, 3], [4, 5]]
    straight = x.reshape(1, 2, 3, 2)
    dealt = x.reshape(1, 3, 2, 2).transpose(0, 3, 1, 2)
    return OneOf(
        f"""
            x = np.arange(12).reshape(1, 3, 4) was to be split into 2 heads, and somebody's head 0 holds {seen}. What
            did they write?
        """,
        (
            Choice(
                "x.reshape(1, 3, 2, 2).transpose(0, 2, 1, 3)",
                "That is the right line; its head 0 is [[0, 1], [4, 5], [8, 9]].",
                right=_split(x, 2)[0, 0].tolist() == seen,
            ),
            Choice(
                "x.reshape(1, 2, 3, 2)",
                "Token 0 is used up after two rows: the shape is right, and the tokens are torn apart.",
                right=straight[0, 0].tolist() == seen,
            ),
            Choice(
                "x.reshape(1, 3, 2, 2).transpose(0, 3, 1, 2)",
                "That deals the channels out in turn; its head 0 is [[0, 2], [4, 6], [8, 10]].",
                right=dealt[0, 0].tolist() == seen,
            ),
            Choice(
                "x.reshape(1, 3, 2, 2)",
                "There the heads still stand behind the tokens, so index 0 is token 0 with both of its heads.",
                right=x.reshape(1, 3, 2, 2)[0, 0].tolist() == seen,
            ),
        ),
    )


def merged(rng):
    x, h, _ = _case(rng)
    _, T, C = x.shape
    y = _split(x, h)
    return Numbers(
        ask=f"""
            x = np.arange({x.min()}, {x.max() + 1}).reshape(1, {T}, {C}) was split rightly into {h} heads, giving y of
            shape {y.shape}. Somebody merges with y.reshape(1, {T}, {C}) and forgets to transpose back. What is the
            first of the {T} rows?
        """,
        answer=y.reshape(T, C)[0].tolist(),
        says="The start of head 0, token after token: row 0 now holds later tokens, so the future leaks.",
        wrong=(
            Wrong(
                x[0, 0].tolist(),
                "That is the right merge. Without the transpose, memory is read head by head.",
                "merge-without-transpose",
            ),
            Wrong(
                y.transpose(0, 2, 3, 1).reshape(T, C)[0].tolist(),
                "This deals the heads into each other; a reshape reads y in order, head 0 first.",
                "merge-interleaved-channels",
            ),
        ),
        otherwise="Write down y[0, 0], all of head 0, row by row, and count off the first numbers.",
    )


def token(rng):
    while True:
        x, h, j = _case(rng)
        _, T, C = x.shape
        t, c = int(rng.integers(1, T)), int(rng.integers(0, C // h))
        y = _split(x, h)
        straight, dealt = x.reshape(y.shape)[0, j, t, c], x.reshape(1, T, C // h, h)[0, t, c, j]
        if len({int(y[0, j, t, c]), int(straight), int(dealt)}) == 3:
            break
    return Number(
        ask=f"""
            x = np.arange({x.min()}, {x.max() + 1}).reshape(1, {T}, {C}) is split rightly into {h} heads, giving y.
            Which number is y[0, {j}, {t}, {c}]?
        """,
        answer=int(y[0, j, t, c]),
        says="Whole tokens first, then whole heads, then the place inside the head.",
        wrong=(
            Wrong(int(straight), "That is where a straight reshape puts it.", "split-view-no-transpose"),
            Wrong(
                int(dealt),
                "That deals the channels out in turn; a head is a block of neighbours.",
                "split-interleaved-channels",
            ),
        ),
        otherwise=f"""
            Token {t} starts at {x[0, t, 0]}. Go on by the channels of all heads before head {j}, then by those before
            channel {c} of the head itself; everything counts from 0.
        """,
    )


def _case(rng):
    """x of shape (1, T, C), a number of heads, and one of them for which no two readings agree."""
    while True:
        T, h, d = (int(size) for size in rng.integers(2, 5, 3))
        start, j = 10 * int(rng.integers(1, 50)), int(rng.integers(0, h))
        if len({T, h, d}) == 3 and T > 2:
            return np.arange(start, start + T * h * d).reshape(1, T, h * d), h, j


def _split(x, h):
    """(B, T, C) to (B, h, T, d)."""
    B, T, C = x.shape
    return x.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
