"""Wrong answers to attention_weights that are worth naming. The docstring of each is the sentence its author hears."""

import numpy as np

from autograder.course import assembled, misconception

_right = attention_weights  # noqa: F821  the model answer stands above this file when it runs


@assembled
def attention_weights(scores, may_look):
    return softmax(visible(scores, may_look))


def visible(scores, may_look):
    return _filled(scores, may_look)


def softmax(scores):
    return _softmax(scores)


def _softmax(scores, axis=-1):
    """A right softmax; axis=None takes the whole matrix."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _filled(scores, may_look, low=-np.inf):
    """The scores, with `low` where the mask forbids."""
    return np.where(may_look, scores, low)


@misconception("softmax-over-queries")
def softmax(scores):
    """The columns sum to 1, not the rows. Each token, that is each row, shares out its own attention: use axis=-1."""
    return _softmax(scores, axis=0)


@misconception("softmax-over-queries")
def attention_weights(scores, may_look):
    """You divide by the sum of each column. The shares of one token stand in a row: sum over axis=-1, keepdims=True."""
    visible = _filled(scores, may_look)
    e = np.exp(visible - visible.max(axis=-1, keepdims=True))
    return e / e.sum(axis=0)


@misconception("softmax-over-whole-matrix")
def softmax(scores):
    """The whole square sums to 1. Every row has to sum to 1 on its own: give the sum an axis."""
    return _softmax(scores, axis=None)


@misconception("softmax-keepdims-missing")
def attention_weights(scores, may_look):
    """Maximum and sum of row j are used in column j: without keepdims=True NumPy lays a (T,) array along a row."""
    visible = _filled(scores, may_look)
    e = np.exp(visible - visible.max(axis=-1))
    return e / e.sum(axis=-1)


@misconception("softmax-keepdims-missing")
def attention_weights(scores, may_look):
    """Column j is divided by the sum of row j: without keepdims=True NumPy lays the (T,) sums along a row."""
    visible = _filled(scores, may_look)
    e = np.exp(visible - visible.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)


@misconception("softmax-keepdims-missing")
def attention_weights(scores, may_look):
    """The maximum of row j is subtracted from column j: without keepdims=True NumPy lays (T,) maxima along a row."""
    visible = _filled(scores, may_look)
    e = np.exp(visible - visible.max(axis=-1))
    return e / e.sum(axis=-1, keepdims=True)


@misconception("softmax-shift-per-column")
def attention_weights(scores, may_look):
    """Each column has its own number subtracted, which changes the weights. Subtract one number along a whole row."""
    visible = _filled(scores, may_look)
    e = np.exp(visible - visible.max(axis=0))
    return e / e.sum(axis=-1, keepdims=True)


@misconception("softmax-shift-per-column")
def attention_weights(scores, may_look):
    """The maximum of each column is subtracted, over hidden scores too. Subtract one number along a whole row."""
    e = np.exp(_filled(scores - scores.max(axis=0), may_look))
    return e / e.sum(axis=-1, keepdims=True)


@misconception("softmax-missing")
def attention_weights(scores, may_look):
    """These are still scores. Weights are never negative and sum to 1 in each row: a softmax is missing."""
    return _filled(scores, may_look)


@misconception("softmax-missing")
def attention_weights(scores, may_look):
    """These are the scores with the hidden ones set to 0. Weights sum to 1 in each row: a softmax is missing."""
    return _filled(scores, may_look, 0.0)


@misconception("softmax-not-normalised")
def softmax(scores):
    """The exponentials are there, but nothing divides them by the sum of their row, so the rows do not sum to 1."""
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


@misconception("softmax-not-normalised")
def softmax(scores):
    """exp alone makes positive numbers, not shares: divide each row by its sum."""
    return np.exp(scores)


@misconception("normalise-without-exp")
def attention_weights(scores, may_look):
    """The scores are divided by their sum with no exp in between, so a negative score becomes a negative weight."""
    visible = _filled(scores, may_look, 0.0)
    return visible / visible.sum(axis=-1, keepdims=True)


@misconception("normalise-without-exp")
def attention_weights(scores, may_look):
    """Cutting negative scores off and dividing by the sum is not a softmax: every score counts, through exp."""
    visible = np.maximum(_filled(scores, may_look, 0.0), 0)
    return visible / (visible.sum(axis=-1, keepdims=True) + 1e-9)


@misconception("softmax-log")
def softmax(scores):
    """These are the logarithms of the weights: log_softmax belongs into a loss. Asked for are the weights."""
    return np.log(_softmax(scores))


@misconception("softmax-twice")
def softmax(scores):
    """Two softmaxes in a row: the second takes the zeros for scores and gives hidden tokens weight again."""
    return _softmax(_softmax(scores))


@misconception("softmax-twice")
def attention_weights(scores, may_look):
    """The mask is applied, but to weights that have been through a softmax already. One softmax, on masked scores."""
    return _softmax(_filled(_softmax(scores), may_look))


@misconception("mask-after-softmax")
def attention_weights(scores, may_look):
    """The mask comes after the softmax: hidden tokens have had their share by then, and rows sum to less than 1."""
    return _softmax(scores) * may_look


@misconception("mask-after-softmax")
def attention_weights(scores, may_look):
    """-inf hides a score, not a weight: put it in before the softmax, so that exp turns it into 0."""
    return _filled(_softmax(scores), may_look)


@misconception("mask-missing")
def visible(scores, may_look):
    """Nothing is hidden: only the last row, which may see everything, is right. Is the masked array the one you use?"""
    return scores


@misconception("mask-inverted")
def visible(scores, may_look):
    """The past is hidden and the future seen: True means "may look", so -inf belongs where may_look is False."""
    return _filled(scores, ~may_look)


@misconception("mask-inverted")
def visible(scores, may_look):
    """You fill where the mask is True. True means "may look", so the entries to fill are those of ~may_look."""
    return _filled(scores, ~may_look, -1e9)


@misconception("mask-inverted")
def visible(scores, may_look):
    """The large negative number is added where a token may look. Add it where it may not."""
    return scores + may_look * -1e9


@misconception("mask-inverted")
def attention_weights(scores, may_look):
    """Hidden tokens have all the weight, allowed ones none: True means "may look", so hide where it is False."""
    return np.nan_to_num(_right(scores, ~may_look))


@misconception("mask-upper-not-lower")
def visible(scores, may_look):
    """The triangle is on the wrong side: token 0 sees everything, the last token only itself. One row is one query."""
    return _filled(scores, may_look.T)


@misconception("mask-diagonal-excluded")
def visible(scores, may_look):
    """No token sees itself here, so the first row has nothing to share out and becomes NaN. may_look allows it."""
    return _filled(scores, np.tri(len(scores), k=-1, dtype=bool))


@misconception("mask-diagonal-excluded")
def visible(scores, may_look):
    """No token sees itself here, so the first row spreads over hidden tokens only. may_look allows the diagonal."""
    return _filled(scores, np.tri(len(scores), k=-1, dtype=bool), -1e9)


@misconception("mask-diagonal-excluded")
def attention_weights(scores, may_look):
    """No token sees itself here, and the first row is empty. may_look is True on the diagonal."""
    return np.nan_to_num(_right(scores, np.tri(len(scores), k=-1, dtype=bool)))


@misconception("mask-leaks-next-token")
def visible(scores, may_look):
    """Each token also sees the next one: the mask in use is one diagonal wider than may_look."""
    return _filled(scores, np.tri(len(scores), k=1, dtype=bool))


@misconception("mask-fill-zero")
def visible(scores, may_look):
    """The hidden scores are 0 or close to it, and exp(0) is 1, so they still get weight. Only -inf gets none."""
    return scores * may_look


@misconception("mask-fill-too-small")
def visible(scores, may_look):
    """The hidden scores became -1, and exp(-1) is 0.37: hidden tokens keep weight. Fill with -inf."""
    return _filled(scores, may_look, -1.0)


@misconception("mask-fill-too-small")
def visible(scores, may_look):
    """The hidden scores became -5, and exp(-5) is not 0: a little weight leaks to hidden tokens. Fill with -inf."""
    return _filled(scores, may_look, -5.0)


@misconception("mask-fill-too-small")
def visible(scores, may_look):
    """The hidden scores became -10: too close to the others, so a little weight leaks. Fill with -inf."""
    return _filled(scores, may_look, -10.0)


@misconception("mask-fill-too-small")
def visible(scores, may_look):
    """Taking 5 off the hidden scores makes their weights smaller, not 0. Nothing finite is safe: use -inf."""
    return scores - 5.0 * ~may_look


@misconception("mask-fill-too-small")
def visible(scores, may_look):
    """Taking 10 off the hidden scores makes their weights smaller, not 0. Nothing finite is safe: use -inf."""
    return scores - 10.0 * ~may_look


@misconception("mask-fill-too-small")
def visible(scores, may_look):
    """The smallest score there is still has a weight. Hidden scores have to be lower than any score: -inf."""
    return _filled(scores, may_look, scores.min())


@misconception("mask-bool-added")
def visible(scores, may_look):
    """True counts as 1 in a sum: adding the mask lifts the allowed scores by 1 and hides nothing."""
    return scores + may_look


@misconception("mask-nan-zero-times-inf", proves="nothing")
def visible(scores, may_look):
    """Every weight is NaN: a step without a value reached them all, such as 0 * inf, inf - inf or 0 / 0. A mask of 0
    and 1 times -inf does that to every allowed score. Choose with np.where instead."""
    return scores + ~may_look * -np.inf


@misconception("mask-plus-inf", proves="nothing")
def visible(scores, may_look):
    """NaN fills the rows that have something to hide and spares the others. A fill of +inf or NaN does that, and so
    does taking the mean or the minimum of a row that holds -inf off the row."""
    return _filled(scores, may_look, np.inf)


@misconception("mask-plus-inf")
def attention_weights(scores, may_look):
    """The hidden scores are +inf: the allowed weights become 0 and the hidden ones NaN. It has to be -inf."""
    e = np.exp(_filled(scores, may_look, np.inf))
    return e / e.sum(axis=-1, keepdims=True)


@misconception("mask-zero-scores-dropped")
def attention_weights(scores, may_look):
    """Every score that happens to be 0 is taken for hidden. Ask may_look what is hidden, not the scores."""
    visible = scores * may_look
    return _softmax(_filled(visible, visible != 0))


@misconception("mask-argument-ignored")
def visible(scores, may_look):
    """A causal mask of your own is used, whatever may_look says. Another mask comes, and it has to be obeyed."""
    return _filled(scores, np.tri(len(scores), dtype=bool))


@misconception("scale-seq-len")
def attention_weights(scores, may_look):
    """The scores are divided by sqrt(T). No scaling is asked for here, and sqrt(T) would never be the one."""
    return _right(scores / np.sqrt(len(scores)), may_look)


@misconception("stress-softmax-overflow")
def attention_weights(scores, may_look):
    """Right for everyday scores, but exp leaves the range of floats for large ones: subtract each row's maximum."""
    e = np.exp(_filled(scores, may_look))
    return e / e.sum(axis=-1, keepdims=True)


@misconception("stress-softmax-overflow")
def attention_weights(scores, may_look):
    """Right for everyday scores, but exp overflows for large ones, hidden or not. Subtract each row's maximum first."""
    e = np.exp(scores) * may_look
    return e / e.sum(axis=-1, keepdims=True)


@misconception("stress-softmax-overflow")
def attention_weights(scores, may_look):
    """exp overflows for large scores: subtract each row's maximum. And the -inf went into the caller's own scores."""
    scores[~may_look] = -np.inf
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)


@misconception("stress-global-max")
def attention_weights(scores, may_look):
    """One maximum for the whole square, and a row that lies far below it rounds to 0 / 0. Take each row's own."""
    e = np.exp(_filled(scores, may_look) - scores[may_look].max())
    return e / e.sum(axis=-1, keepdims=True)


@misconception("stress-renormalise-underflow")
def attention_weights(scores, may_look):
    """Sound on paper, but hidden scores still take part: a huge one leaves all allowed weights at 0, hence 0 / 0. Hide
    them first, before any maximum and exp."""
    weights = _softmax(scores) * may_look
    return weights / weights.sum(axis=-1, keepdims=True)


@misconception("stress-renormalise-underflow")
def attention_weights(scores, may_look):
    """Sound on paper, but hidden scores still take part: next to a huge one the allowed weights round to 0 and are
    lost. Hide them first, before any maximum and exp."""
    weights = _softmax(scores) * may_look
    return weights / (weights.sum(axis=-1, keepdims=True) + 1e-12)


@misconception("stress-mask-fill-finite")
def visible(scores, may_look):
    """Fine for everyday scores. A real score can be lower than your fill, and then hidden tokens win: use -inf."""
    return _filled(scores, may_look, -1e4)


@misconception("stress-mask-fill-finite")
def visible(scores, may_look):
    """Fine for everyday scores. Taking a fixed amount off the hidden ones is not enough for large scores: use -inf."""
    return scores - 1e4 * ~may_look


@misconception("modifies-input")
def attention_weights(scores, may_look):
    """The weights are right, but the -inf went into the caller's scores. np.where, or a copy, leaves them alone."""
    scores[~may_look] = -np.inf
    return _softmax(scores)


@misconception("modifies-input")
def attention_weights(scores, may_look):
    """The weights are right, but masking and -= worked on the caller's scores. Make a new array."""
    scores[~may_look] = -np.inf
    scores -= scores.max(axis=-1, keepdims=True)
    return _softmax(scores)


@misconception("squeeze-drops-dims")
def attention_weights(scores, may_look):
    """squeeze() drops every axis of size 1, so for a single token the (1, 1) weights lose their shape. Leave it out."""
    return _right(scores, may_look).squeeze()
