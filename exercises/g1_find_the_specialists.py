"""G1. Find the specialists.

Goal
    A small model was trained on words that are repeated over and over, each sequence with a word of its own. Nobody
    told its heads what to do. Measure which of them took one of the two jobs that the task rewards.

Shapes
    weights  (h, T, T)  attention weights of one layer on one sequence; weights[head, i, j] is how much token i looks
                        at token j. The causal mask makes it 0 where j is after i.
    period   int        the length of the word: tokens[i] == tokens[i - period]
    result   (h,)       one score for each head, between 0 and 1

    previous token   token i looks at token i - 1. Averaged over i = 1 .. T - 1.
    induction        token i looks at what came next the last time it stood here: its last occurrence is at
                     i - period, so that is token i - period + 1. Averaged over i = period .. T - 1.

    tokens     a  b  c  a  b  c           period 3
    position   0  1  2  3  4  5           for i = 3 (a) the previous token is 2 (c); last time b came next, at 1

Example
    A head that looks evenly at everything it may see has no job:

    >>> even = np.tri(6) / np.arange(1, 7)[:, None]
    >>> previous_token_score(even[None]).round(2)
    array([0.29])
    >>> induction_score(even[None], period=3).round(2)
    array([0.21])
    >>> previous_token_score(np.eye(6, k=-1)[None])
    array([1.])

Question
    In the trained model some heads of layer 0 score high on the previous token, those of layer 1 on induction. Why?

    A  Training data says which head is for what; a head learns the job it is labelled with.
    B  Several heads cannot do the same, so training has to give each head a job of its own.
    C  Nobody decides it. Heads start from different random weights, and whatever lowers the loss grows; which heads
       take a job, and how many share it, differs with the data and the seed.
    D  Each head sees its own slice of the channels of x only, and so finds what is in that slice.
"""

import numpy as np


def previous_token_score(weights: np.ndarray) -> np.ndarray:
    """The mean weight (h,) on the token just before, from weights (h, T, T)."""
    raise NotImplementedError("previous_token_score is not written yet")


def induction_score(weights: np.ndarray, period: int) -> np.ndarray:
    """The mean weight (h,) on the token after the last occurrence, from weights (h, T, T) of a repeated word."""
    raise NotImplementedError("induction_score is not written yet")


def why_they_specialise() -> str:
    """Where the jobs of the heads come from: "A", "B", "C" or "D"."""
    raise NotImplementedError("why_they_specialise is not written yet")
