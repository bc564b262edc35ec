"""Wrong scores, and wrong ideas of where they come from. The docstring is the sentence its author hears."""

import numpy as np

from autograder.course import misconception

_right_previous = previous_token_score  # noqa: F821 - the model answer stands above this file
_right_induction = induction_score  # noqa: F821


def _line(weights, back, start):
    """The weights (h, rows) of rows start .. T - 1 on the token `back` places before."""
    i = np.arange(start, weights.shape[-1])
    return weights[:, i, i - back]


@misconception("specialist-diagonal")
def previous_token_score(weights):
    """That is the diagonal, where tokens look at themselves. The previous token is one place to the left of it."""
    return _line(weights, 0, 0).mean(axis=-1)


@misconception("specialist-diagonal")
def previous_token_score(weights):
    """That is the diagonal, where tokens look at themselves. The previous token is one place to the left of it."""
    return _line(weights, 0, 1).mean(axis=-1)


@misconception("specialist-next-token")
def previous_token_score(weights):
    """You look on the other side of the diagonal, at the next token, which is masked: rows look, columns are seen."""
    return np.diagonal(weights, 1, axis1=1, axis2=2).mean(axis=-1)


@misconception("specialist-off-by-one")
def previous_token_score(weights):
    """You look two tokens back. The previous one is the first line below the diagonal."""
    return _line(weights, 2, 2).mean(axis=-1)


@misconception("specialist-first-rows")
def previous_token_score(weights):
    """The first token has none before it, and yet it takes part. T - 1 rows do, from i = 1 on."""
    return _line(weights, 1, 1).sum(axis=-1) / weights.shape[-1]


@misconception("specialist-first-rows")
def previous_token_score(weights):
    """For token 0, i - 1 is -1, and that is the last token to Python. Start at i = 1."""
    return _line(weights, 1, 0).mean(axis=-1)


@misconception("specialist-not-averaged")
def previous_token_score(weights):
    """That is the sum over the rows, which grows with T. Take the mean."""
    return _line(weights, 1, 1).sum(axis=-1)


@misconception("specialist-largest")
def previous_token_score(weights):
    """That is the largest weight of any row. A head with a job does it everywhere: take the mean."""
    return _line(weights, 1, 1).max(axis=-1)


@misconception("specialist-largest")
def previous_token_score(weights):
    """You count the rows whose largest weight is there. Asked is how much weight is there, on average."""
    i = np.arange(1, weights.shape[-1])
    return (weights.argmax(axis=-1)[:, i] == i - 1).mean(axis=-1)


@misconception("specialist-heads-mixed")
def previous_token_score(weights):
    """You averaged over the heads as well. Each head gets a score of its own."""
    return np.full(len(weights), _line(weights, 1, 1).mean())


@misconception("specialist-heads-mixed")
def previous_token_score(weights):
    """You averaged over the heads instead of the rows: the head axis comes first and has to stay."""
    return _line(weights, 1, 1).mean(axis=0)


@misconception("specialist-heads-mixed")
def previous_token_score(weights):
    """You averaged over everything, and one number is left. Each head gets a score of its own."""
    return float(_line(weights, 1, 1).mean())


@misconception("specialist-before-averaging")
def previous_token_score(weights):
    """Those are the weights of every row. The score of a head is their mean."""
    return _line(weights, 1, 1)


@misconception("specialist-off-by-one")
def induction_score(weights, period):
    """You look at the last occurrence itself. What matters is the token after it, at i - period + 1."""
    return _line(weights, period, period).mean(axis=-1)


@misconception("specialist-off-by-one")
def induction_score(weights, period):
    """You look at the token before the last occurrence. What matters is the one after it, at i - period + 1."""
    return _line(weights, period + 1, period + 1).mean(axis=-1)


@misconception("specialist-off-by-one")
def induction_score(weights, period):
    """You look at the token before the last occurrence. What matters is the one after it, at i - period + 1."""
    return _line(weights, period + 1, period).mean(axis=-1)


@misconception("specialist-off-by-one")
def induction_score(weights, period):
    """You look one token too far, two after the last occurrence. The one right after it is at i - period + 1."""
    return _line(weights, period - 2, period).mean(axis=-1)


@misconception("specialist-first-rows")
def induction_score(weights, period):
    """You start one row too early. Token period - 1 has not occurred before; token period is the first that has."""
    return _line(weights, period - 1, period - 1).mean(axis=-1)


@misconception("specialist-first-rows")
def induction_score(weights, period):
    """You start one row too late: token period is the first that has occurred before."""
    return _line(weights, period - 1, period + 1).mean(axis=-1)


@misconception("specialist-first-rows")
def induction_score(weights, period):
    """You divide by T, but the first word has nothing to look back at: T - period rows take part."""
    return _line(weights, period - 1, period).sum(axis=-1) / weights.shape[-1]


@misconception("specialist-not-averaged")
def induction_score(weights, period):
    """That is the sum over the rows, which grows with T. Take the mean."""
    return _line(weights, period - 1, period).sum(axis=-1)


@misconception("specialist-all-copies")
def induction_score(weights, period):
    """You add up all earlier occurrences. Asked is the last one."""
    T = weights.shape[-1]
    rows = [weights[:, i, (i + 1) % period : i : period].sum(axis=-1) for i in range(period, T)]
    return np.mean(rows, axis=0)


@misconception("specialist-all-copies")
def induction_score(weights, period):
    """You look at the first time the word was there. Asked is the last time before this one."""
    T = weights.shape[-1]
    return np.mean([weights[:, i, (i + 1) % period] for i in range(period, T)], axis=0)


@misconception("specialist-fixed-period")
def induction_score(weights, period):
    """Your period is fixed. It is a property of the sequence and comes with the call."""
    return _line(weights, 4, 5).mean(axis=-1)


@misconception("specialist-diagonal")
def induction_score(weights, period):
    """That is the previous-token score. Induction looks a whole word back, and one token on."""
    return _right_previous(weights)


@misconception("specialist-heads-mixed")
def induction_score(weights, period):
    """You averaged over the heads as well. Each head gets a score of its own."""
    return np.full(len(weights), _right_induction(weights, period).mean())


@misconception("specialist-largest")
def induction_score(weights, period):
    """That is the largest weight of any row. A head with a job does it everywhere: take the mean."""
    return _line(weights, period - 1, period).max(axis=-1)


@misconception("specialist-labelled")
def why_they_specialise():
    """The training data was words only. No label says anything about heads; they all get the gradient of one loss."""
    return "A"


@misconception("specialist-guaranteed")
def why_they_specialise():
    """Nothing keeps heads from doing the same: in layer 1 of this model they nearly all do. Compare the scores."""
    return "B"


@misconception("specialist-own-slice")
def why_they_specialise():
    """Every head reads all channels of x, through its own rows of the weights. Only what it computes is a slice."""
    return "D"
