"""Wrong answers to causal_attention_weights that are worth naming. The docstring of each is what its author hears.

Each replaces the step in which its thought goes astray, here and in every exercise that contains these steps; so a
sentence has to be true there, too.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F

from autograder.course import assembled, misconception

INF = float("inf")


@assembled
def causal_attention_weights(q, k):
    return shares(scaled(compared(q, k), q))


def compared(q, k):
    return q @ k.transpose(-2, -1)


def scaled(scores, q):
    return scores / math.sqrt(q.size(-1))


def shares(scores):
    return softmax(masked(scores))


def masked(scores):
    return scores.masked_fill(ahead(scores), -INF)


def softmax(scores):
    return scores.softmax(-1)


right_weights, right_comparison = causal_attention_weights, compared
right_masked, right_softmax = masked, softmax


def ahead(scores, diagonal=1):
    """True where the key lies ahead of the query."""
    return torch.ones(scores.shape[-2:], dtype=torch.bool).triu(diagonal)


def expanded(pattern, q):
    """One pattern for all heads."""
    return pattern.expand(-1, q.size(1), -1, -1)


def added(scores, amount):
    return scores + ahead(scores).to(scores) * amount


def buffered(scores, length, *, cut=False, adds=False):
    """Masked by a triangle made for `length` tokens, which is cut to the sequence at hand or not."""
    T = scores.size(-1)
    future = torch.ones(length, length, dtype=torch.bool).triu(1)
    future = future[:T, :T] if cut else future
    if adds:
        return scores + torch.zeros(future.shape).masked_fill(future, -INF)
    return scores.masked_fill(future, -INF)


def widened(scores):
    """What is left of the dtype once a mask of float32 numbers was multiplied in or added."""
    return scores + torch.zeros(1)


@misconception("scale-missing")
def scaled(scores, q):
    """The scores are not divided by sqrt(d): the wider a head, the larger its scores and the harder its softmax."""
    return scores


@misconception("scale-d-model")
def scaled(scores, q):
    """You divide by sqrt(C). Each dot product runs over the channels of one head only: divide by sqrt(d)."""
    return scores / (math.sqrt(q.size(1) * q.size(-1)))


@misconception("scale-no-sqrt")
def scaled(scores, q):
    """The scores are divided by d, which is sqrt(d) twice: either the root is missing, or something else has already
    scaled."""
    return scores / q.size(-1)


@misconception("scale-multiplied")
def scaled(scores, q):
    """The scores are multiplied by sqrt(d); they have to be divided by it."""
    return scores / (q.size(-1) ** -0.5)


@misconception("scale-n-heads")
def scaled(scores, q):
    """You divide by the root of the number of heads. It is the size of one head that counts, the last axis of q."""
    return scores / math.sqrt(q.size(1))


@misconception("scale-seq-len")
def scaled(scores, q):
    """You divide by sqrt(T). The size of a head is the last axis of q; the one before it counts the tokens."""
    return scores / math.sqrt(q.size(-2))


@misconception("scale-quarter-root", alone=True)
def scaled(scores, q):
    """The scores are divided by the fourth root of d. That trick needs it on q and on k: together they make sqrt(d)."""
    return scores / (q.size(-1) ** 0.25)


@misconception("scale-exponent-precedence", alone=True)
def scaled(scores, q):
    """`/ d ** 1 / 2` divides by d and then by 2: powers bind first, then it goes from left to right. Write d ** 0.5."""
    return scores / (q.size(-1) * 2)


@misconception("scale-exponent-precedence")
def scaled(scores, q):
    """You divide by d / 2, and that is what d ** 1 / 2 means: powers bind first. Write d ** 0.5."""
    return scores / (q.size(-1) / 2)


@misconception("scale-integer-rounding", alone=True)
def scaled(scores, q):
    """sqrt(d) has become a whole number. It looks right only where d is a square, such as 4, 16 or 64."""
    return scores / math.isqrt(q.size(-1))


@misconception("scale-integer-rounding", alone=True)
def scaled(scores, q):
    """sqrt(d) has become a whole number. It looks right only where d is a square, such as 4, 16 or 64."""
    return scores / round(math.sqrt(q.size(-1)))


@misconception("scale-integer-rounding", alone=True)
def scaled(scores, q):
    """sqrt(d) has become a whole number. It looks right only where d is a square, such as 4, 16 or 64."""
    return scores / math.ceil(math.sqrt(q.size(-1)))


@misconception("scale-floor-division", alone=True)
def scaled(scores, q):
    """`//` rounds every score down to a whole number. Divide with `/`."""
    return scores // math.sqrt(q.size(-1))


@misconception("hard-coded-head-dim", alone=True)
def scaled(scores, q):
    """You divide by 8, the root of 64. That is the head size of GPT-2 small; take d from the last axis of q."""
    return scores / 8


@misconception("scale-after-softmax", alone=True)
def causal_attention_weights(q, k):
    """The scores are not scaled; instead the result is smaller by a factor of sqrt(d). Divide the scores, before the
    softmax, and nothing else."""
    return shares(compared(q, k)) / math.sqrt(q.size(-1))


@misconception("scale-after-softmax", alone=True)
def causal_attention_weights(q, k):
    """The result is smaller by a factor of sqrt(d): something besides the scores was divided by it. Only the scores
    are scaled, before the softmax."""
    return right_weights(q, k) / math.sqrt(q.size(-1))


@misconception("mask-missing")
def masked(scores):
    """No token is hidden, so each one with a future sees all of it. masked_fill returns a new tensor; was its result
    kept?"""
    return scores


@misconception("mask-leaks-next-token")
def masked(scores):
    """Each token still sees the one after it: the triangle starts one step late. Check the diagonal argument."""
    return scores.masked_fill(ahead(scores, 2), -INF)


@misconception("mask-diagonal-excluded")
def masked(scores):
    """A token may look at itself, yet your triangle takes the diagonal away. The first row is left with nothing to
    share out, hence NaN."""
    return scores.masked_fill(ahead(scores, 0), -INF)


@misconception("mask-diagonal-excluded")
def masked(scores):
    """A token may look at itself, yet your triangle takes the diagonal away. With nothing allowed, the first row
    spreads evenly over all tokens, the future included."""
    return scores.masked_fill(ahead(scores, 0), -1e9)


@misconception("mask-diagonal-excluded")
def shares(scores):
    """A token may look at itself, yet your triangle takes the diagonal away. The first row is left with nothing at all,
    so its weights are 0."""
    return softmax(scores.masked_fill(ahead(scores, 0), -INF)).nan_to_num(0)


@misconception("mask-self-only", alone=True)
def shares(scores):
    """Each token sees only itself. It may also look at everything before it."""
    return torch.eye(scores.size(-1), dtype=scores.dtype).expand_as(scores)


@misconception("mask-upper-not-lower")
def masked(scores):
    """The triangle is on the wrong side: the first token sees everything, the last only itself. Rows are queries,
    columns are keys."""
    return scores.masked_fill(~ahead(scores, 0), -INF)


@misconception("mask-inverted")
def masked(scores):
    """The mask is the wrong way round: the future is all that is left, and the last row, which has none, becomes NaN.
    masked_fill writes where the mask is True."""
    return scores.masked_fill(~ahead(scores), -INF)


@misconception("mask-inverted")
def masked(scores):
    """The mask is the wrong way round: the future is all that is left, and the last row, which has none, becomes even.
    masked_fill writes where the mask is True."""
    return scores.masked_fill(~ahead(scores), -1e9)


@misconception("mask-inverted")
def shares(scores):
    """The mask is the wrong way round: the future is all that is left, and the last row, which has none, becomes 0.
    Where it says True is what the function you call allows or forbids; look up which."""
    return softmax(scores.masked_fill(~ahead(scores), -INF)).nan_to_num(0)


@misconception("mask-after-softmax")
def shares(scores):
    """The mask comes after the softmax: the future has already taken its share, so the rows sum to less than 1. Mask
    the scores first."""
    return softmax(scores).tril()


@misconception("mask-after-softmax", alone=True)
def shares(scores):
    """The mask comes after the softmax: -inf belongs among the scores. In the weights it stays, and the rows no longer
    sum to 1."""
    return softmax(scores).masked_fill(ahead(scores), -INF)


@misconception("mask-after-softmax", alone=True)
def shares(scores):
    """The mask comes after the softmax: -1e9 belongs among the scores. In the weights it stays, and the rows no longer
    sum to 1."""
    return softmax(scores).masked_fill(ahead(scores), -1e9)


@misconception("mask-bool-added")
def masked(scores):
    """A mask of True and False was added to the scores: allowed pairs got +1 and nothing is blocked. Use masked_fill,
    or add 0 and -inf."""
    return scores + ~ahead(scores)


@misconception("mask-bool-added", alone=True)
def masked(scores):
    """A mask of True and False was added to the scores: the future got +1 and nothing is blocked. Use masked_fill, or
    add 0 and -inf."""
    return scores + ahead(scores)


@misconception("mask-fill-zero")
def masked(scores):
    """The forbidden scores became 0 or hardly more, and such a score counts: exp(0) is 1. They have to be -inf."""
    return scores.tril()


@misconception("mask-fill-too-small", alone=True)
def masked(scores):
    """The forbidden scores became -1, far too little: the future still gets weight. Fill with -inf."""
    return scores.masked_fill(ahead(scores), -1.0)


@misconception("mask-fill-too-small", alone=True)
def masked(scores):
    """The forbidden scores became -5, too little: the future still gets weight. Fill with -inf."""
    return scores.masked_fill(ahead(scores), -5.0)


@misconception("mask-fill-too-small", alone=True)
def masked(scores):
    """The forbidden scores became -10, too little: the future still gets weight. Fill with -inf."""
    return scores.masked_fill(ahead(scores), -10.0)


@misconception("mask-fill-too-small", alone=True)
def masked(scores):
    """Taking 5 away from the forbidden scores is too little: the future still gets weight. Take away infinity."""
    return added(scores, -5.0)


@misconception("mask-fill-too-small", alone=True)
def masked(scores):
    """Taking 10 away from the forbidden scores is too little: the future still gets weight. Take away infinity."""
    return added(scores, -10.0)


@misconception("mask-plus-inf", alone=True, proves="nothing")
def masked(scores):
    """NaN fills what has a future to hide, and spares the last token. A fill of +inf or NaN does that, and so does
    taking the mean or the minimum of a row that holds -inf off the row."""
    return scores.masked_fill(ahead(scores), INF)


@misconception("mask-plus-inf", alone=True)
def masked(scores):
    """A sign is wrong: the forbidden scores went up to +1e9, so the future takes everything. They have to go down."""
    return scores.masked_fill(ahead(scores), 1e9)


@misconception("mask-nan-zero-times-inf", alone=True, proves="nothing")
def masked(scores):
    """Everything is NaN: a step without a value reached all numbers, such as 0 * inf, inf - inf or 0 / 0. A mask of 0
    and 1 times -inf does that to every allowed score. Use masked_fill or torch.where."""
    return scores + ahead(scores) * -INF


@misconception("mask-zero-scores-dropped")
def masked(scores):
    """Every score that happens to be 0 is treated as forbidden, the allowed ones too. Ask the mask, not the scores,
    whether a pair is allowed."""
    lower = scores.tril()
    return lower.masked_fill(lower == 0, -INF)


@misconception("mask-not-broadcast-over-heads")
def masked(scores):
    """The mask is (B, T, T), so its batch axis meets the head axis of the scores. Use (T, T) or (B, 1, T, T)."""
    return scores.masked_fill(ahead(scores).expand(scores.size(0), -1, -1), -INF)


@misconception("mask-not-broadcast-over-heads")
def masked(scores):
    """The mask is (B, T, T), so its batch axis meets the head axis of the scores. Use (T, T) or (B, 1, T, T)."""
    return scores + torch.full(scores[:, 0].shape, -INF).triu(1)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask is made for 6 tokens whatever arrives. Build it for the T at hand, or cut it to [:T, :T]."""
    return buffered(scores, 6)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask is made for 6 tokens whatever arrives. Build it for the T at hand, or cut it to [:T, :T]."""
    return buffered(scores, 6, adds=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask is made for 7 tokens whatever arrives. Build it for the T at hand, or cut it to [:T, :T]."""
    return buffered(scores, 7)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask is made for 7 tokens whatever arrives. Build it for the T at hand, or cut it to [:T, :T]."""
    return buffered(scores, 7, adds=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask is made for 8 tokens whatever arrives. Build it for the T at hand, or cut it to [:T, :T]."""
    return buffered(scores, 8)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask is made for 8 tokens whatever arrives. Build it for the T at hand, or cut it to [:T, :T]."""
    return buffered(scores, 8, adds=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask is made for 16 tokens whatever arrives. Build it for the T at hand, or cut it to [:T, :T]."""
    return buffered(scores, 16)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask is made for 16 tokens whatever arrives. Build it for the T at hand, or cut it to [:T, :T]."""
    return buffered(scores, 16, adds=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask is made for 32 tokens whatever arrives. Build it for the T at hand, or cut it to [:T, :T]."""
    return buffered(scores, 32)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask is made for 32 tokens whatever arrives. Build it for the T at hand, or cut it to [:T, :T]."""
    return buffered(scores, 32, adds=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask is made for 1024 tokens whatever arrives. Build it for the T at hand, or cut it to [:T, :T]."""
    return buffered(scores, 1024)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask ends at 8 tokens, so longer sequences fail. Build it for the T at hand."""
    return buffered(scores, 8, cut=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask ends at 8 tokens, so longer sequences fail. Build it for the T at hand."""
    return buffered(scores, 8, cut=True, adds=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask ends at 16 tokens, so longer sequences fail. Build it for the T at hand."""
    return buffered(scores, 16, cut=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask ends at 16 tokens, so longer sequences fail. Build it for the T at hand."""
    return buffered(scores, 16, cut=True, adds=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask ends at 32 tokens, so longer sequences fail. Build it for the T at hand."""
    return buffered(scores, 32, cut=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask ends at 32 tokens, so longer sequences fail. Build it for the T at hand."""
    return buffered(scores, 32, cut=True, adds=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask ends at 64 tokens, so longer sequences fail. Build it for the T at hand."""
    return buffered(scores, 64, cut=True)


@misconception("hard-coded-length", proves="name")
def masked(scores):
    """The mask ends at 64 tokens, so longer sequences fail. Build it for the T at hand."""
    return buffered(scores, 64, cut=True, adds=True)


@misconception("softmax-over-queries")
def softmax(scores):
    """The columns sum to 1, not the rows. Each query shares its attention out among the keys: dim=-1."""
    return scores.softmax(-2)


@misconception("softmax-over-heads")
def softmax(scores):
    """dim=1 is the head axis, so the heads compete and the future becomes NaN. The keys are the last axis: dim=-1."""
    return scores.softmax(1)


@misconception("softmax-over-heads")
def shares(scores):
    """dim=1 is the head axis, so the heads compete for each pair of tokens. The keys are the last axis: dim=-1."""
    return scores.masked_fill(ahead(scores), -1e9).softmax(1)


@misconception("softmax-over-batch", alone=True)
def softmax(scores):
    """dim=0 is the batch axis, so the sequences compete and the future becomes NaN. The keys are the last axis:
    dim=-1."""
    return scores.softmax(0)


@misconception("softmax-over-batch", alone=True)
def shares(scores):
    """dim=0 is the batch axis, so the sequences compete with each other. The keys are the last axis: dim=-1."""
    return scores.masked_fill(ahead(scores), -1e9).softmax(0)


@misconception("softmax-over-whole-matrix", alone=True)
def softmax(scores):
    """Each T x T block sums to 1 as a whole. Every row of it has to."""
    return scores.flatten(2).softmax(-1).view_as(scores)


@misconception("softmax-over-whole-matrix", alone=True)
def softmax(scores):
    """The whole tensor sums to 1, all heads and sequences together. Every row has to: sum over dim=-1 and keep the
    axis."""
    return scores.flatten().softmax(-1).view_as(scores)


@misconception("softmax-twice", alone=True)
def masked(scores):
    """The scores go through one softmax before the mask and through another after it. One is enough: mask the scores,
    then share out."""
    return right_masked(right_softmax(scores))


@misconception("softmax-twice", alone=True)
def softmax(scores):
    """The softmax was applied twice. The second one takes the zeros of the future for scores and gives them weight
    again."""
    return right_softmax(scores).softmax(-1)


@misconception("softmax-missing", alone=True)
def softmax(scores):
    """What should be weights are masked scores: the softmax over the keys is missing."""
    return scores


@misconception("softmax-missing", alone=True)
def shares(scores):
    """What should be weights are masked scores: the softmax over the keys is missing."""
    return scores.masked_fill(ahead(scores), -1e9)


@misconception("softmax-missing")
def shares(scores):
    """What should be weights are scores with the future set to 0: the softmax over the keys is missing."""
    return scores.tril()


@misconception("softmax-missing", alone=True)
def shares(scores):
    """What should be weights are plain scores: both the mask and the softmax over the keys are missing."""
    return scores


@misconception("softmax-not-normalised", alone=True)
def shares(scores):
    """Half of the softmax is missing: after exp, each row has to be divided by its sum."""
    return scores.exp().tril()


@misconception("softmax-not-normalised", alone=True)
def softmax(scores):
    """Half of the softmax is missing: after exp, each row has to be divided by its sum. Here its largest entry is 1."""
    return (scores - scores.amax(dim=-1, keepdim=True)).exp()


@misconception("softmax-log", alone=True)
def softmax(scores):
    """What should be weights are their logarithms: log_softmax belongs into a loss, here it is softmax."""
    return scores.log_softmax(-1)


@misconception("normalise-without-exp", alone=True)
def shares(scores):
    """Dividing scores by their sum is not a softmax: the exponential is missing, which makes every share positive."""
    lower = scores.tril()
    return lower / lower.sum(-1, keepdim=True)


@misconception("normalise-without-exp", alone=True)
def shares(scores):
    """Dividing positive scores by their sum is not a softmax: negative scores are lost. Take exp of all of them."""
    lower = scores.relu().tril()
    return lower / (lower.sum(-1, keepdim=True) + 1e-9)


@misconception("normalise-without-exp", alone=True)
def shares(scores):
    """Dividing positive scores by their sum is not a softmax: negative scores are lost. Take exp of all of them."""
    lower = scores.relu().tril()
    return lower / lower.sum(-1, keepdim=True)


@misconception("normalise-without-exp", alone=True)
def shares(scores):
    """Dividing the sizes of the scores by their sum is not a softmax: a score of -2 would count like one of 2. Take
    exp."""
    lower = scores.abs().tril()
    return lower / lower.sum(-1, keepdim=True)


@misconception("key-not-transposed", alone=True)
def compared(q, k):
    """q @ k does not pair queries with keys: the last two axes of k have to change places, so that d meets d."""
    return q @ k


@misconception("key-not-transposed", alone=True)
def compared(q, k):
    """The letters of k are in the wrong order, so the channels of q meet the tokens of k. Both are (B, h, T, d)."""
    return torch.einsum("bhid,bhdj->bhij", q, k)


@misconception("key-transposed-wrong-axes", alone=True)
def compared(q, k):
    """The wrong axes of k were swapped: with heads there are four, and tokens and channels are the last two. Write
    transpose(-2, -1)."""
    return q @ k.transpose(1, 2)


@misconception("key-transposed-wrong-axes", alone=True)
def compared(q, k):
    """.T turns all four axes of k around. Only tokens and channels change places: k.mT, or k.transpose(-2, -1)."""
    return q @ k.permute(3, 2, 1, 0)


@misconception("key-transposed-wrong-axes", alone=True)
def compared(q, k):
    """The wrong axes of k were swapped, heads and channels. Tokens and channels are the last two: transpose(-2, -1)."""
    return q @ k.transpose(1, 3)


@misconception("key-transposed-wrong-axes", alone=True)
def compared(q, k):
    """The wrong axes of k were swapped, batch and heads. Tokens and channels are the last two: transpose(-2, -1)."""
    return q @ k.transpose(0, 1)


@misconception("key-view-not-transpose", alone=True)
def compared(q, k):
    """view and reshape draw new borders through the same numbers, they do not swap axes. Use transpose(-2, -1) on k."""
    return q @ k.reshape(*k.shape[:2], k.size(3), k.size(2))


@misconception("query-key-swapped")
def compared(q, k):
    """q and k have changed places: a row belongs to the token that asks, so the scores are q times k transposed."""
    return right_comparison(k, q)


@misconception("query-key-swapped")
def shares(scores):
    """Your weights are turned over: rows and columns have changed places. A row belongs to the token that asks."""
    return softmax(masked(scores)).transpose(-2, -1)


@misconception("query-used-as-key")
def compared(q, k):
    """The queries are compared with themselves and the keys are never used."""
    return right_comparison(q, q)


@misconception("query-used-as-key", alone=True)
def compared(q, k):
    """The keys are compared with themselves and the queries are never used."""
    return right_comparison(k, k)


@misconception("heads-summed-in-scores", alone=True)
def compared(q, k):
    """All heads show one pattern: the head axis was summed away before the softmax. Each head keeps its own scores."""
    return expanded(right_comparison(q, k).sum(1, keepdim=True), q)


@misconception("heads-summed-in-scores", alone=True)
def compared(q, k):
    """All heads show one pattern, that of a single head of full width. Each head keeps its own scores, from its own d
    channels."""
    return expanded(right_comparison(q, k).sum(1, keepdim=True) / math.sqrt(q.size(1)), q)


@misconception("heads-summed-in-scores")
def compared(q, k):
    """All heads show one pattern: the scores were averaged over the heads before the softmax. Each head keeps its
    own."""
    return expanded(right_comparison(q, k).mean(1, keepdim=True), q)


@misconception("heads-share-weights")
def compared(q, k):
    """All heads show the pattern of head 0: an index stayed in. Each head has its own queries and keys."""
    return expanded(right_comparison(q, k)[:, :1], q)


@misconception("heads-share-keys-values", alone=True)
def compared(q, k):
    """All heads compare with the keys of head 0. Here every head has keys of its own."""
    return right_comparison(q, k[:, :1])


@misconception("weights-averaged-over-heads")
def causal_attention_weights(q, k):
    """All heads show their common average. Keep the pattern of each head: that they differ is the point."""
    return expanded(right_weights(q, k).mean(1, keepdim=True), q)


@misconception("weights-averaged-over-heads")
def causal_attention_weights(q, k):
    """The heads were averaged into one pattern. Keep the pattern of each head, (B, h, T, T): that they differ is the
    point."""
    return right_weights(q, k).mean(1, keepdim=True)


@misconception("contract-missing-head-axis")
def causal_attention_weights(q, k):
    """The head axis is missing, your result is an average over the heads. Return one matrix per head, (B, h, T, T)."""
    return right_weights(q, k).mean(1)


@misconception("contract-missing-head-axis")
def causal_attention_weights(q, k):
    """The head axis is missing, it was summed away in the scores. Return one matrix per head, (B, h, T, T)."""
    return shares(scaled(compared(q, k), q).sum(1))


@misconception("contract-missing-head-axis")
def causal_attention_weights(q, k):
    """The head axis is missing, you compute one head of full width. Return one matrix per head, (B, h, T, T)."""
    return shares(scaled(compared(q, k), q).sum(1) / math.sqrt(q.size(1)))


@misconception("contract-missing-head-axis")
def causal_attention_weights(q, k):
    """The head axis is missing, you return head 0 alone. Return one matrix per head, (B, h, T, T)."""
    return right_weights(q, k)[:, 0]


@misconception("contract-missing-head-axis")
def causal_attention_weights(q, k):
    """The weights are right, but the heads are still folded into the batch, (B*h, T, T). Unfold them: (B, h, T, T)."""
    return right_weights(q, k).flatten(0, 1)


@misconception("first-batch-item-only", alone=True)
def causal_attention_weights(q, k):
    """Every sequence gets the weights of the first one: an index [0] or a slice [:1] stayed in."""
    return right_weights(q[:1], k[:1]).expand(q.size(0), -1, -1, -1)


@misconception("first-batch-item-only", alone=True)
def causal_attention_weights(q, k):
    """Only the first sequence is left of the batch: an index [0] stayed in, and the batch axis went with it."""
    return right_weights(q[0], k[0])


@misconception("first-batch-item-only", alone=True)
def causal_attention_weights(q, k):
    """Only the first sequence is left of the batch: a slice [:1] stayed in."""
    return right_weights(q[:1], k[:1])


@misconception("first-batch-item-only", alone=True)
def compared(q, k):
    """Every sequence is compared with the keys of the first one: an index [0] or a slice [:1] stayed in."""
    return right_comparison(q, k[:1])


@misconception("mask-promotes-dtype", proves="family")
def masked(scores):
    """Something on the way has become float64 and takes the weights along: NumPy makes masks and numbers float64 by
    itself, and so does double(). Keep to the dtype of q."""
    return scores + torch.from_numpy(np.triu(np.full(scores.shape[-2:], -np.inf), 1))


@misconception("half-overflow", alone=True, proves="name")
def shares(scores):
    """-1e9 does not fit into float16, which ends at 65504. Fill with -inf, or with torch.finfo(scores.dtype).min."""
    return scores.half().masked_fill(ahead(scores), -1e9).softmax(-1).to(scores.dtype)


@misconception("stress-mask-dtype", proves="family")
def masked(scores):
    """Right in float32, but bfloat16 comes back as float32: a mask of float32 numbers or a .float() widened the scores.
    Go back to the dtype of q, or use a bool mask."""
    return widened(scores).masked_fill(ahead(scores), -INF)


@misconception("stress-mask-dtype", proves="family")
def softmax(scores):
    """Right in float32, but every other precision becomes float32 on the way, as float() does it. Go back to the dtype
    of q."""
    return right_softmax(scores).float()


@misconception("stress-softmax-overflow")
def shares(scores):
    """Right for ordinary scores, but exp overflows above 88 and vanishes below -103. Subtract each row's maximum first,
    or call softmax."""
    weights = masked(scores).exp()
    return weights / weights.sum(-1, keepdim=True)


@misconception("stress-softmax-overflow")
def shares(scores):
    """Right for ordinary scores, but exp overflows above 88 and vanishes below -103. Subtract each row's maximum first,
    or call softmax."""
    weights = masked(scores).exp()
    return weights / (weights.sum(-1, keepdim=True) + 1e-9)


@misconception("stress-softmax-overflow")
def shares(scores):
    """Right for ordinary scores, but exp overflows above 88 and vanishes below -103. Subtract each row's maximum first,
    or call softmax. Besides, something float32 on the way widens bfloat16."""
    weights = widened(scores.exp()).tril()
    return weights / weights.sum(-1, keepdim=True)


@misconception("stress-renormalise-underflow")
def shares(scores):
    """Right on paper, but hidden scores still take part: where one beats all allowed ones by about 100 nothing is left
    to share out, and the row becomes NaN. Hide them first, before any maximum and exp."""
    weights = scores.softmax(-1).tril()
    return weights / weights.sum(-1, keepdim=True)


@misconception("stress-renormalise-underflow")
def shares(scores):
    """Right on paper, but hidden scores still take part: where one beats all allowed ones by about 100 nothing is left
    to share out, and the row becomes 0. Hide them first, before any maximum and exp."""
    return F.normalize(scores.softmax(-1).tril(), p=1.0, dim=-1)


@misconception("stress-renormalise-underflow")
def shares(scores):
    """Right on paper, but hidden scores still take part: where one beats all allowed ones by about 100 nothing is left
    to share out, and the row becomes NaN. Hide them first, before any maximum and exp.
    Besides, something float32 on the way widens bfloat16."""
    weights = widened(scores.softmax(-1)).tril()
    return weights / weights.sum(-1, keepdim=True)


@misconception("stress-renormalise-underflow")
def shares(scores):
    """Right on paper, but hidden scores still take part: where one beats all allowed ones by about 100 nothing is left
    to share out, and the row becomes 0. Hide them first, before any maximum and exp.
    Besides, something float32 on the way widens bfloat16."""
    return F.normalize(widened(scores.softmax(-1)).tril(), p=1.0, dim=-1)


@misconception("stress-global-max")
def softmax(scores):
    """Right for ordinary scores, but the maximum subtracted before exp is that of the whole tensor, so rows far below
    it underflow to 0 / 0. Take the maximum of each row."""
    weights = (scores - scores.max()).exp()
    return weights / weights.sum(-1, keepdim=True)


@misconception("stress-mask-fill-finite")
def masked(scores):
    """Right for ordinary scores, but the forbidden ones do not go low enough: where allowed scores are lower still, the
    future takes over. Fill with -inf."""
    return scores.masked_fill(ahead(scores), -20.0)


@misconception("stress-mask-fill-finite")
def masked(scores):
    """Right for ordinary scores, but an allowed score can be lower than your fill value, and then the future takes
    over. Fill with -inf, or with torch.finfo(scores.dtype).min."""
    return scores.masked_fill(ahead(scores), -1e4)


@misconception("stress-mask-fill-finite")
def masked(scores):
    """Right for ordinary scores, but an allowed score can be lower than your fill value, and then the future takes
    over. Fill with -inf. Besides, something float32 on the way widens bfloat16."""
    return widened(scores).masked_fill(ahead(scores), -1e4)


@misconception("squeeze-drops-dims")
def causal_attention_weights(q, k):
    """Axes of size 1 are gone, those of one sequence or one token, as squeeze() does it. Leave them where they are."""
    return right_weights(q, k).squeeze()


@misconception("squeeze-drops-dims")
def causal_attention_weights(q, k):
    """squeeze() removes every axis of size 1: one sequence or one token, and the scores no longer fit their mask. Leave
    axes of size 1 where they are."""
    return softmax(buffered(scaled(compared(q, k), q).squeeze(), q.size(-2)))


@misconception("squeeze-drops-dims")
def causal_attention_weights(q, k):
    """As soon as there is a single sequence the batch axis is gone, as squeeze(0) or [0] do it. Leave such axes."""
    return right_weights(q, k).squeeze(0)


@misconception("gradient-cut")
def compared(q, k):
    """The weights are right, but no gradient gets back to q and k (detach, .data, numpy and no_grad all do that): a
    layer built on this cannot learn."""
    return right_comparison(q.detach(), k.detach())


@misconception("gradient-cut")
def compared(q, k):
    """The weights are right, but no gradient gets back to k (detach and .data do that): the keys cannot learn."""
    return right_comparison(q, k.detach())


@misconception("gradient-cut")
def compared(q, k):
    """The weights are right, but no gradient gets back to q (detach and .data do that): the queries cannot learn."""
    return right_comparison(q.detach(), k)


@misconception("gradient-cut")
def compared(q, k):
    """The weights are right, but no gradient gets back to q and k (detach, .data, numpy and no_grad all do that): a
    layer built on this cannot learn. Besides, bfloat16 comes back as float32."""
    return widened(right_comparison(q.detach(), k.detach()))


@misconception("modifies-input")
def causal_attention_weights(q, k):
    """The answer is right, but the caller's q has changed: *=, /= and names that end in an underscore work in place.
    Scale the scores, or give the result of q / sqrt(d) a name of its own."""
    q /= math.sqrt(q.size(-1))
    return shares(compared(q, k))


@misconception("modifies-input")
def causal_attention_weights(q, k):
    """The answer is right, but the caller's k has changed: *=, /= and names that end in an underscore work in place.
    k.transpose(-2, -1) / sqrt(d) makes new tensors and leaves k alone."""
    k /= math.sqrt(k.size(-1))
    return shares(compared(q, k))


@misconception("modifies-input")
def causal_attention_weights(q, k):
    """The answer is right, but the caller's q has changed: *=, /= and names that end in an underscore work in place.
    Besides, something float32 on the way widens bfloat16."""
    q /= math.sqrt(q.size(-1))
    return shares(widened(compared(q, k)))
