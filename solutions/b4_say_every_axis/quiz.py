"""Goal: after every line of multi-head attention, say its shape and what each axis means.

    qkv = x @ W_qkv           # (B, T, C) @ (C, 3C)
    q, k, v = the thirds of qkv along its last axis
    q, k, v: cut the last axis into heads
    q, k, v: move the heads next to the batch
    scores = q @ k.transpose(-2, -1) / sqrt(d)
    scores: hide the future with the causal mask
    weights = softmax(scores, dim=-1)
    y = weights @ v
    y: move the heads back, join them, and project

Letters: B batch, T tokens, C width, h heads, d head size. Type letters where letters are asked for and numbers where
sizes are given; (2, 3, 5), [2, 3, 5] and 2x3x5 are all fine.
"""

import numpy as np

from autograder.quiz import Choice, OneOf, Shape, Wrong

#: Sizes that cannot be mistaken for each other, so that a shape of numbers can be read back as letters.
SIZES = {"B": 2, "T": 7, "C": 15, "h": 3, "d": 5, "3C": 45}
NAMES = {
    "B": ("batch",),
    "T": ("S", "L", "N", "seq", "seq_len", "tokens"),
    "C": ("d_model", "width", "h*d", "d*h", "n_head*d", "n_heads*d"),
    "h": ("nh", "n_head", "n_heads", "heads", "H"),
    "d": ("d_head", "head_dim", "head_size", "d_k", "C/h", "C//h"),
    "3C": ("3*C", "C*3", "3d_model", "3*d_model"),
}


def fused():
    return _letters(
        "One linear layer makes the queries, keys and values of all heads at once. What is the shape of qkv?",
        _steps(**_plain())["qkv"],
        "Three times the width: a third each for q, k and v.",
        (
            Wrong(
                ("B", "T", "C"),
                "All three come out of one layer, side by side: that is three widths.",
                "count-qkv-once",
            ),
        ),
        "The batch and the tokens stay; only the last axis grows.",
    )


def cut():
    return _letters(
        "q has been cut into heads with one reshape, and nothing else was done. What is its shape at this moment?",
        _steps(**_plain())["cut"],
        "The channels became two neighbouring axes, head first; nothing has moved yet.",
        (
            Wrong(
                ("B", "h", "T", "d"), "That is after the transpose. A reshape moves no axis.", "split-view-no-transpose"
            ),
            Wrong(
                ("B", "T", "d", "h"),
                "A head is a block of neighbours, so the head comes before its channels.",
                "split-interleaved-channels",
            ),
        ),
        "One axis, C, became two whose product is C; B and T are where they were.",
    )


def heads():
    return _letters(
        "Then two axes of q change places, so that one matmul can serve all heads. What is its shape now?",
        _steps(**_plain())["q"],
        "Batch and heads in front, where a matmul repeats itself; tokens and channels at the end.",
        (
            Wrong(("B", "T", "h", "d"), "That is before the two axes change places.", "split-missing-transpose"),
            Wrong(
                ("B", "h", "d", "T"),
                "The last axis of q has to be what a dot product runs over: d.",
                "split-head-dim-before-time",
            ),
        ),
        "A matmul works on the last two axes and repeats itself over those in front.",
    )


def joined():
    return _letters(
        "At the end y has been merged and is about to enter the output layer. What is its shape?",
        _steps(**_plain())["joined"],
        "h heads of size d, side by side, are the width again.",
        (
            Wrong(("B", "h", "T", "d"), "The heads are still apart there.", "contract-returns-4d"),
            Wrong(("B", "T", "h", "d"), "The heads have moved back but are not joined yet.", "contract-returns-4d"),
            Wrong(
                ("B", "T", "d"),
                "That would be one head, or a mean of all; they stand side by side.",
                "merge-heads-averaged",
            ),
        ),
        "It is the shape that x had.",
    )


def queries(rng):
    sizes, text = _drawn(rng)
    B, T, C, h, d = (sizes[letter] for letter in "BTChd")
    return Shape(
        ask=f"{text} What is the shape of q when it is ready for attention?",
        answer=_steps(**sizes)["q"],
        says="(B, h, T, d).",
        wrong=(
            Wrong((B, T, h, d), "The transpose is missing: heads come before tokens.", "split-missing-transpose"),
            Wrong((B, h, T, C), "Each head has its share of the width, not all of it.", "split-full-width-heads"),
            Wrong(
                (B, d, T, h),
                "That has as many heads as a head has channels: h and d changed roles.",
                "head-count-is-head-dim",
            ),
        ),
        otherwise=f"The head size is {C} divided by {h}.",
    )


def keys(rng):
    sizes, text = _drawn(rng)
    B, T, h, d = (sizes[letter] for letter in "BThd")
    return Shape(
        ask=f"{text} What is the shape of k.transpose(-2, -1), as it enters the matmul with q?",
        answer=_steps(**sizes)["k turned"],
        says="(B, h, d, T): channels meet channels.",
        wrong=(
            Wrong((B, h, T, d), "That is k itself; the last two axes have to change places.", "key-not-transposed"),
            Wrong(
                (B, T, h, d),
                "That is k.transpose(1, 2): the wrong two axes changed places.",
                "key-transposed-wrong-axes",
            ),
        ),
        otherwise="k is (B, h, T, d); only its last two axes change places.",
    )


def scores(rng):
    sizes, text = _drawn(rng)
    B, T, h, d = (sizes[letter] for letter in "BThd")
    return Shape(
        ask=f"{text} What is the shape of the scores?",
        answer=_steps(**sizes)["scores"],
        says="(B, h, T, T): for each head its own square of tokens by tokens.",
        wrong=(
            Wrong(
                (B, T, T),
                "Each head has its own square; one for all would be a single pattern.",
                "heads-summed-in-scores",
            ),
            Wrong((B, h, d, d), "That is tokens summed away instead of channels.", "key-transposed-wrong-axes"),
            Wrong(
                (B, h, T, d), "A dot product of a query and a key is one number: the d is gone.", "key-not-transposed"
            ),
            Wrong(
                (B, T, h, h),
                "Here heads look at heads: the transpose after the cut was forgotten.",
                "attention-across-heads",
            ),
        ),
        otherwise="(B, h, T, d) times (B, h, d, T): the d in the middle is summed away.",
    )


def mixed(rng):
    sizes, text = _drawn(rng)
    B, T, C, h = (sizes[letter] for letter in "BTCh")
    return Shape(
        ask=f"{text} What is the shape of weights @ v, before anything is merged?",
        answer=_steps(**sizes)["y"],
        says="(B, h, T, d): for each head and token a weighted mean of values.",
        wrong=(
            Wrong((B, h, T, T), "That is the weights; the values turn the last T into d."),
            Wrong((B, T, h, C // h), "That is a step later: here the heads still stand next to the batch."),
            Wrong((B, T, C), "That is after the merge."),
        ),
        otherwise="(B, h, T, T) times (B, h, T, d): the T in the middle is summed away.",
    )


def last_axis():
    return OneOf(
        "The scores are (B, h, T, T). What are the last two axes, and along which one does the softmax run?",
        (
            Choice(
                "query, then key; along the queries",
                "Then the columns sum to 1. Each query shares out its own attention.",
                slug="softmax-over-queries",
            ),
            Choice(
                "key, then query; along the keys",
                "q stands on the left of the matmul, so its tokens are the rows.",
                slug="query-key-swapped",
            ),
            Choice(
                "query, then key; along the keys", "Each row is one query, and it sums to 1 over the keys.", right=True
            ),
            Choice(
                "head, then token; along the heads",
                "The heads are the second axis; they never share a softmax.",
                slug="softmax-over-heads",
            ),
        ),
    )


def _letters(ask, answer, says, wrong, otherwise):
    """A question about the shape in letters, with the answer computed in numbers."""
    letters = {size: letter for letter, size in SIZES.items()}
    named = tuple(letters[size] for size in answer)
    return Shape(ask=f"{ask} (In letters.)", answer=named, says=says, wrong=wrong, otherwise=otherwise, names=NAMES)


def _plain():
    return {letter: SIZES[letter] for letter in "BTChd"}


def _drawn(rng):
    """Sizes that all differ, and the sentence that gives them."""
    while True:
        B, T, h, d = (int(size) for size in rng.integers((2, 4, 2, 4), (7, 20, 13, 33)))
        sizes = {"B": B, "T": T, "C": h * d, "h": h, "d": d}
        if len({B, T, h, d, h * d}) == len(sizes):
            return sizes, f"{B} sequences of {T} tokens, width {h * d}, {h} heads."


def _steps(B, T, C, h, d):
    """The shape after every line, from arrays of that shape."""
    qkv = np.zeros((B, T, C)) @ np.zeros((C, 3 * C))
    q, k, v = np.split(qkv, 3, axis=-1)
    cut = q.reshape(B, T, h, d)
    q, k, v = (part.reshape(B, T, h, d).swapaxes(1, 2) for part in (q, k, v))
    scores = q @ k.swapaxes(-2, -1)
    y = scores @ v
    steps = {"qkv": qkv, "cut": cut, "q": q, "k turned": k.swapaxes(-2, -1), "scores": scores, "y": y}
    steps["joined"] = y.swapaxes(1, 2).reshape(B, T, C)
    return {name: array.shape for name, array in steps.items()}
