"""Goal: know which wrong reshapes Python reports, and which ones only your numbers report.

Predict first, then run it: a few lines of torch settle every question here. The sizes are those of GPT-2 small unless a
question changes them: B = 2, T = 5, C = 768, h = 12, d = 64. q, k and v come out of one fused layer by
qkv.split(768, dim=-1), and the right line for each is t.view(B, T, h, d).transpose(1, 2).

The mask, where there is one, is written as a (T, T) square:
    future = torch.triu(torch.ones(T, T), diagonal=1).bool()
    scores = scores.masked_fill(future, float("-inf"))

torch's scaled_dot_product_attention goes from q, k and v to weights @ v in one call; with is_causal=True it makes a
mask of its own.
"""

import numpy as np

from autograder.quiz import Choice, OneOf, SomeOf

B, T, h, d = 2, 5, 12, 64
C = h * d


def forgotten_transpose():
    return SomeOf(
        "Somebody cuts q, k and v with t.view(B, T, h, d) and forgets the transpose. When is there an error?",
        (
            Choice(
                "with the mask, T = 5",
                "The scores are (2, 5, 12, 12), and a (5, 5) mask does not fit on them.",
                right=_raises_at(_untransposed, 5),
            ),
            Choice(
                "with the mask, T = 12",
                "The scores are (2, 12, 12, 12): heads look at heads, and the mask fits by accident, since T = h.",
                right=_raises_at(_untransposed, 12),
                slug="same-shape-is-right",
            ),
            Choice(
                "without a mask",
                "Nothing compares the axis with T, so nothing is noticed.",
                right=_raises_at(_untransposed, 5, mask=False),
            ),
            Choice(
                "with is_causal=True in scaled_dot_product_attention",
                "It builds a mask that fits whatever it is given.",
                right=_raises_at(_untransposed, 5, mask=False),
            ),
        ),
    )


def channels_before_tokens():
    return SomeOf(
        "Now the order is (B, h, d, T), from t.reshape(B, h, d, T) for q, k and v. When is there an error?",
        (
            Choice(
                "with the mask, T = 5",
                "The scores are (2, 12, 64, 64), and the (5, 5) mask does not fit.",
                right=_raises_at(_channels_first, 5),
            ),
            Choice(
                "with the mask, T = 12",
                "T = h does not help here: the scores are d by d.",
                right=_raises_at(_channels_first, 12),
            ),
            Choice(
                "with the mask, T = 64",
                "The mask fits by accident, since T = d.",
                right=_raises_at(_channels_first, 64),
                slug="same-shape-is-right",
            ),
            Choice(
                "without a mask",
                "The matmul is content with any two equal axes.",
                right=_raises_at(_channels_first, 5, mask=False),
            ),
        ),
    )


def always_silent():
    return SomeOf(
        "Which of these never raise an error, whatever T is, with the mask or without it?",
        (
            Choice(
                "reshape straight to (B, h, T, d)",
                "The shape is the right one, so nothing can complain. The numbers are torn apart.",
                right=not _ever_raises(_straight),
            ),
            Choice(
                "view(B, T, h, d) without the transpose",
                "With the mask it raises for every T but h.",
                right=not _ever_raises(_untransposed),
                slug="bugs-are-always-silent",
            ),
            Choice(
                "view(B, T, d, h) and then the heads to the front: interleaved heads",
                "Every shape is right; only the heads hold other channels.",
                right=not _ever_raises(_dealt),
            ),
            Choice(
                "after right attention, y.reshape(B, T, C) without transposing back",
                "A reshape takes any order of axes; the numbers of all tokens are mixed.",
                right=_merges(np.zeros((B, h, T, d)), copy=True),
            ),
            Choice(
                "after right attention, y.transpose(1, 2).view(B, T, C)",
                "view wants neighbours in memory, and after a transpose they are not: a RuntimeError.",
                right=_merges(np.zeros((B, h, T, d)).swapaxes(1, 2), copy=False),
                slug="bugs-are-always-silent",
            ),
        ),
    )


def view_or_reshape():
    third = np.zeros((B, T, 3 * C))[..., :C]  # what split gives: rows with gaps between them
    y = np.zeros((B, h, T, d))
    return SomeOf(
        """
            Which of these lines raise an error? q is a third of the fused layer's output, as split gives it; y comes
            straight from a matmul and is (B, h, T, d).
        """,
        (
            Choice(
                "q.view(B, T, h, d)",
                "Only the last axis is cut, and its numbers are neighbours.",
                right=not _views(third, (B, T, h, d)),
            ),
            Choice(
                "q.view(B, h, T, d)",
                "Rows of a third do not follow each other in memory, and this would have to join them.",
                right=not _views(third, (B, h, T, d)),
            ),
            Choice(
                "q.reshape(B, h, T, d)",
                "reshape copies where view refuses. It hides exactly this bug.",
                right=False,
                slug="view-is-reshape",
            ),
            Choice(
                "y.transpose(1, 2).view(B, T, C)",
                "After the transpose the channels of a token are not neighbours.",
                right=not _views(y.swapaxes(1, 2), (B, T, C)),
            ),
            Choice(
                "y.transpose(1, 2).reshape(B, T, C)",
                "reshape copies them together. This is the usual merge.",
                right=False,
                slug="view-is-reshape",
            ),
        ),
    )


def same_shape():
    return OneOf(
        "Your split runs, and its shape equals that of a trusted one. What do you know?",
        (
            Choice(
                "It is right: a reshape moves no numbers",
                "A reshape decides which numbers belong together, and several ways give one shape.",
                slug="same-shape-is-right",
            ),
            Choice(
                "It is right if the loss goes down as well",
                "Some of these bugs train as well as the right one, and some even better.",
                slug="same-shape-is-right",
            ),
            Choice(
                "Nothing yet: compare the numbers, with T, h and d all different",
                "Equal sizes are where these bugs hide.",
                right=True,
            ),
            Choice(
                "It is right if nothing raised with a mask",
                "A straight reshape raises never.",
                slug="same-shape-is-right",
            ),
        ),
    )


def _raises_at(split, tokens, *, mask=True):
    """Whether attention on tensors split like this stops with an error."""
    q = split(np.zeros((B, tokens, C), np.float32), tokens)
    try:
        scores = q @ q.swapaxes(-2, -1)
        return mask and np.broadcast_shapes(scores.shape, (tokens, tokens)) != scores.shape
    except ValueError:
        return True


def _ever_raises(split):
    return any(_raises_at(split, tokens, mask=mask) for tokens in (1, 5, 12, 64) for mask in (True, False))


def _untransposed(x, tokens):
    return x.reshape(B, tokens, h, d)


def _channels_first(x, tokens):
    return x.reshape(B, h, d, tokens)


def _straight(x, tokens):
    return x.reshape(B, h, tokens, d)


def _dealt(x, tokens):
    return x.reshape(B, tokens, d, h).transpose(0, 3, 1, 2)


def _merges(y, *, copy):
    """Whether y can become (B, T, C): by a reshape always, by a view only without copying."""
    return copy or _views(y, (B, T, C))


def _views(x, shape):
    return bool(np.shares_memory(x, x.reshape(shape)))
