"""Wrong answers to mha_by_loop that are worth naming. The docstring of each is the sentence its author hears.

`by_loop` is the right loop; each wrong answer replaces the step in which its thought goes astray.
"""

import math

import torch

from autograder.course import misconception

INF = float("inf")
_right = mha_by_loop  # noqa: F821 - the model answer stands above this file when a wrong answer is cut out


def own_rows(x, thirds, i, d):
    return [x @ third[i * d : (i + 1) * d].T for third in thirds]


def lower(scores, diagonal=0):
    return torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal)


def causal(scores):
    return scores.masked_fill(~lower(scores), -INF)


def softmax(scores):
    return scores.softmax(dim=-1)


def side_by_side(heads, out_weight):
    return torch.cat(heads, dim=-1) @ out_weight.T


def by_loop(
    x, qkv_weight, out_weight, n_heads, project=own_rows, divisor=None, mask=causal, weigh=softmax, join=side_by_side
):
    """The model answer in steps. `divisor` replaces sqrt(d) and may depend on (C, h, d, T)."""
    T, C = x.shape[1:]
    d = C // n_heads
    scale = divisor(C, n_heads, d, T) if divisor else math.sqrt(d)
    heads = []
    for i in range(n_heads):
        q, k, v = project(x, qkv_weight.chunk(3), i, d)
        heads.append(weigh(mask(q @ k.transpose(-2, -1) / scale)) @ v)
    return join(heads, out_weight)


# Which rows belong to a head


@misconception("qkv-interleaved-per-head")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """Head i got 3d neighbouring rows, cut into q, k and v. Its rows lie apart: d in each third of qkv_weight."""
    d = x.shape[-1] // n_heads
    blocks = qkv_weight.split(3 * d)
    return by_loop(x, qkv_weight, out_weight, n_heads, lambda x, _, i, d: [x @ w.T for w in blocks[i].split(d)])


@misconception("qkv-interleaved-innermost")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """You took every third row for the queries. All query rows come first, then all key rows, then all value rows."""
    thirds = [qkv_weight[j::3] for j in range(3)]
    return by_loop(x, torch.cat(thirds), out_weight, n_heads)


@misconception("qkv-weight-columns")
def mha_by_loop(*inputs):
    """The projections are used the wrong way round: head i takes rows i*d to (i+1)*d, not columns, and
    transposes them."""
    return by_loop(*inputs, project=lambda x, thirds, i, d: [x @ w[:, i * d : (i + 1) * d] for w in thirds])


@misconception("qkv-weight-not-transposed")
def mha_by_loop(*inputs):
    """A slice of rows is (d, C), and x ends in C: the product needs its transpose, x @ slice.T."""
    return by_loop(*inputs, project=lambda x, thirds, i, d: [x @ w[i * d : (i + 1) * d] for w in thirds])


@misconception("qkv-weight-not-transposed")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """qkv_weight is (3C, C), and x ends in C: the product needs its transpose, x @ qkv_weight.T."""
    return x @ qkv_weight


@misconception("contract-projection-per-slice")
def mha_by_loop(*inputs):
    """Head i reads only slice i of the input. It may read all C channels; only its outputs are d wide."""

    def sliced(x, thirds, i, d):
        own = slice(i * d, (i + 1) * d)
        return [x[..., own] @ w[own, own].T for w in thirds]

    return by_loop(*inputs, project=sliced)


@misconception("split-interleaved-channels")
def mha_by_loop(*inputs):
    """Head i got every h-th row. Its rows are neighbours: i*d to (i+1)*d."""
    return by_loop(*inputs, project=lambda x, thirds, i, d: [x @ w[i :: len(w) // d].T for w in thirds])


@misconception("split-interleaved-channels")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """The rows are dealt out to the heads like cards, and the channels dealt back. A head has neighbouring rows."""

    def deal_back(heads, out_weight):
        return torch.stack(heads, dim=-1).flatten(2) @ out_weight.T

    def dealt(x, thirds, i, d):
        return [x @ w[i::n_heads].T for w in thirds]

    return by_loop(x, qkv_weight, out_weight, n_heads, dealt, join=deal_back)


@misconception("heads-share-weights")
def mha_by_loop(*inputs):
    """Every head uses the rows of head 0: the slice has to move with i."""
    return by_loop(*inputs, project=lambda x, thirds, i, d: own_rows(x, thirds, 0, d))


@misconception("heads-share-weights")
def mha_by_loop(*inputs):
    """Every head uses the rows of the last one: the slice has to move with i."""
    return by_loop(*inputs, project=lambda x, thirds, i, d: own_rows(x, thirds, len(thirds[0]) // d - 1, d))


@misconception("heads-share-keys-values")
def mha_by_loop(*inputs):
    """All heads use the keys and values of head 0, which is multi-query attention. Here each head has its own."""

    def shared(x, thirds, i, d):
        return own_rows(x, thirds, i, d)[:1] + own_rows(x, thirds, 0, d)[1:]

    return by_loop(*inputs, project=shared)


@misconception("query-key-swapped")
def mha_by_loop(*inputs):
    """Queries and keys have changed places, in the rows or in the product: rows of the scores look, columns
    are seen."""
    return by_loop(*inputs, project=lambda x, w, i, d: own_rows(x, (w[1], w[0], w[2]), i, d))


@misconception("qkv-order-permuted")
def mha_by_loop(*inputs):
    """The attention is right, the thirds of qkv_weight are taken as k, v, q. Here the order is q, k, v."""
    return by_loop(*inputs, project=lambda x, w, i, d: own_rows(x, (w[2], w[0], w[1]), i, d))


@misconception("qkv-order-permuted")
def mha_by_loop(*inputs):
    """The attention is right, the thirds of qkv_weight are taken as v, q, k. Here the order is q, k, v."""
    return by_loop(*inputs, project=lambda x, w, i, d: own_rows(x, (w[1], w[2], w[0]), i, d))


@misconception("qkv-order-permuted")
def mha_by_loop(*inputs):
    """The attention is right, the thirds of qkv_weight are taken as v, k, q. Here the order is q, k, v."""
    return by_loop(*inputs, project=lambda x, w, i, d: own_rows(x, (w[2], w[1], w[0]), i, d))


@misconception("qkv-order-permuted")
def mha_by_loop(*inputs):
    """The attention is right, the thirds of qkv_weight are taken as q, v, k. Here the order is q, k, v."""
    return by_loop(*inputs, project=lambda x, w, i, d: own_rows(x, (w[0], w[2], w[1]), i, d))


@misconception("same-projection-for-qkv")
def mha_by_loop(*inputs):
    """Queries, keys and values all come from the first third of qkv_weight: the offsets C and 2C are missing."""
    return by_loop(*inputs, project=lambda x, w, i, d: own_rows(x, (w[0], w[0], w[0]), i, d))


@misconception("query-used-as-key")
def mha_by_loop(*inputs):
    """Queries are compared with queries; the keys are never used."""
    return by_loop(*inputs, project=lambda x, w, i, d: own_rows(x, (w[0], w[0], w[2]), i, d))


@misconception("value-uses-key-projection")
def mha_by_loop(*inputs):
    """What is collected are the keys: v has to come from the last third of qkv_weight."""
    return by_loop(*inputs, project=lambda x, w, i, d: own_rows(x, (w[0], w[1], w[1]), i, d))


@misconception("value-not-projected")
def mha_by_loop(*inputs):
    """What is collected is a slice of the raw input: the values have to go through the last third of qkv_weight."""

    def raw(x, thirds, i, d):
        q, k, _ = own_rows(x, thirds, i, d)
        return q, k, x[..., i * d : (i + 1) * d]

    return by_loop(*inputs, project=raw)


# How many heads


@misconception("one-head-only")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """This is one wide head: n_heads changes nothing."""
    return _right(x, qkv_weight, out_weight, 1)


@misconception("one-head-only")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """This is one wide head, only with the scale of a small one."""
    return by_loop(x, qkv_weight, out_weight, 1, divisor=lambda C, h, d, T: math.sqrt(C // n_heads))


@misconception("ignores-n-head")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """There are always 2 heads, whatever n_heads says."""
    return _right(x, qkv_weight, out_weight, 2)


@misconception("ignores-n-head")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """There are always 4 heads, whatever n_heads says."""
    return _right(x, qkv_weight, out_weight, 4)


@misconception("ignores-n-head")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """There are always 8 heads, whatever n_heads says."""
    return _right(x, qkv_weight, out_weight, 8)


@misconception("ignores-n-head")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """There are always 12 heads, whatever n_heads says."""
    return _right(x, qkv_weight, out_weight, 12)


@misconception("head-count-is-head-dim")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """n_heads is taken for the size of a head. It is how many there are; each has C // n_heads channels."""
    return _right(x, qkv_weight, out_weight, x.shape[-1] // n_heads)


# Scale


@misconception("scale-missing")
def mha_by_loop(*inputs):
    """The scores are not divided by the square root of the head size."""
    return by_loop(*inputs, divisor=lambda C, h, d, T: 1)


@misconception("scale-d-model")
def mha_by_loop(*inputs):
    """The scores are divided by the root of the whole width. A dot product runs over one head: divide by sqrt(d)."""
    return by_loop(*inputs, divisor=lambda C, h, d, T: math.sqrt(C))


@misconception("scale-d-model")
def mha_by_loop(*inputs):
    """The scores are divided by the whole width. A dot product runs over one head: divide by sqrt(d)."""
    return by_loop(*inputs, divisor=lambda C, h, d, T: C)


@misconception("scale-n-heads")
def mha_by_loop(*inputs):
    """The scores are divided by the root of the number of heads. It has to be the size of one head."""
    return by_loop(*inputs, divisor=lambda C, h, d, T: math.sqrt(h))


@misconception("scale-no-sqrt")
def mha_by_loop(*inputs):
    """The scores are divided by d, or by sqrt(d) twice (scaled_dot_product_attention scales by itself)."""
    return by_loop(*inputs, divisor=lambda C, h, d, T: d)


@misconception("scale-multiplied")
def mha_by_loop(*inputs):
    """The scores are multiplied by sqrt(d). Divide, so that they do not grow with the head size."""
    return by_loop(*inputs, divisor=lambda C, h, d, T: 1 / math.sqrt(d))


@misconception("scale-seq-len")
def mha_by_loop(*inputs):
    """The scores are divided by the root of the number of tokens. The last axis of q is the head size."""
    return by_loop(*inputs, divisor=lambda C, h, d, T: math.sqrt(T))


@misconception("scale-integer-rounding")
def mha_by_loop(*inputs):
    """The square root was cut to an integer: right for heads of 4, 16 or 64 channels only."""
    return by_loop(*inputs, divisor=lambda C, h, d, T: math.isqrt(d))


@misconception("scale-integer-rounding")
def mha_by_loop(*inputs):
    """The square root was rounded to an integer: right for heads of 4, 16 or 64 channels only."""
    return by_loop(*inputs, divisor=lambda C, h, d, T: round(math.sqrt(d)))


@misconception("scale-exponent-precedence")
def mha_by_loop(*inputs):
    """d ** 1 / 2 is (d ** 1) / 2, half of d. The root is d ** 0.5."""
    return by_loop(*inputs, divisor=lambda C, h, d, T: d / 2)


# Mask and softmax


@misconception("mask-missing")
def mha_by_loop(*inputs):
    """No token is hidden. Is there a mask at all, and is the result of masked_fill kept?"""
    return by_loop(*inputs, mask=lambda scores: scores)


@misconception("mask-leaks-next-token")
def mha_by_loop(*inputs):
    """The mask begins one token late: every token sees the next one, the very answer it is to predict."""
    return by_loop(*inputs, mask=lambda scores: scores.masked_fill(~lower(scores, 1), -INF))


@misconception("mask-upper-not-lower")
def mha_by_loop(*inputs):
    """The past is hidden and the future is open. Rows are queries: row t may look at columns 0 to t."""
    return by_loop(*inputs, mask=lambda scores: scores.masked_fill(lower(scores, -1), -INF))


@misconception("mask-inverted")
def mha_by_loop(*inputs):
    """The mask is upside down: what may be looked at got -inf. The last row has nobody left, so it is NaN."""
    return by_loop(*inputs, mask=lambda scores: scores.masked_fill(lower(scores), -INF))


@misconception("mask-inverted")
def mha_by_loop(*inputs):
    """The mask is upside down: what may be looked at is hidden. The last row has nobody left and falls back to
    the average."""
    return by_loop(*inputs, mask=lambda scores: scores.masked_fill(lower(scores), -1e9))


@misconception("mask-inverted")
def mha_by_loop(*inputs):
    """The mask is upside down: scaled_dot_product_attention wants True where a token may look."""
    return by_loop(*inputs, mask=lambda scores: scores.masked_fill(lower(scores), -INF), weigh=_nan_is_zero)


@misconception("mask-diagonal-excluded")
def mha_by_loop(*inputs):
    """A token may look at itself. Your first row has nobody to look at, and the NaN comes from there."""
    return by_loop(*inputs, mask=lambda scores: scores.masked_fill(~lower(scores, -1), -INF))


@misconception("mask-diagonal-excluded")
def mha_by_loop(*inputs):
    """A token may look at itself. Your first row has nobody to look at and falls back to the average of all tokens."""
    return by_loop(*inputs, mask=lambda scores: scores.masked_fill(~lower(scores, -1), -1e9))


@misconception("mask-diagonal-excluded")
def mha_by_loop(*inputs):
    """A token may look at itself. Your first row has nobody to look at, and zeros come out of it."""
    return by_loop(*inputs, mask=lambda scores: scores.masked_fill(~lower(scores, -1), -INF), weigh=_nan_is_zero)


def _nan_is_zero(scores):
    return softmax(scores).nan_to_num(0.0)


@misconception("mask-fill-zero")
def mha_by_loop(*inputs):
    """Hidden scores became 0, and exp(0) is 1: the future still gets its share. Fill with -inf before the softmax."""
    return by_loop(*inputs, mask=torch.tril)


@misconception("mask-bool-added")
def mha_by_loop(*inputs):
    """A mask of ones and zeros was added to the scores: visible tokens got +1 and nobody was hidden."""
    return by_loop(*inputs, mask=lambda scores: scores + lower(scores))


@misconception("mask-after-softmax")
def mha_by_loop(*inputs):
    """Masked after the softmax: the future has already taken its share and the rows sum to less than 1. Mask
    the scores."""
    return by_loop(*inputs, mask=softmax, weigh=torch.tril)


@misconception("mask-nan-zero-times-inf")
def mha_by_loop(*inputs):
    """0 * -inf is NaN, so multiplying a mask by -inf spoils the visible places. Use masked_fill or torch.where."""
    return by_loop(*inputs, mask=lambda scores: scores + ~lower(scores) * -INF)


@misconception("softmax-over-queries")
def mha_by_loop(*inputs):
    """The columns sum to 1, not the rows. Each query shares out its attention among the keys: dim=-1."""
    return by_loop(*inputs, weigh=lambda scores: scores.softmax(dim=1))


@misconception("softmax-over-batch")
def mha_by_loop(*inputs):
    """The softmax runs over the sequences of the batch, axis 0. It has to run over the keys: dim=-1."""
    return by_loop(*inputs, weigh=lambda scores: scores.softmax(dim=0))


@misconception("softmax-missing")
def mha_by_loop(*inputs):
    """The scores themselves are used as weights. Weights are never negative and sum to 1 in each row: softmax."""
    return by_loop(*inputs, mask=torch.tril, weigh=lambda scores: scores)


@misconception("softmax-missing")
def mha_by_loop(*inputs):
    """The masked scores themselves are used as weights, -inf and all. The softmax is missing."""
    return by_loop(*inputs, weigh=lambda scores: scores)


@misconception("attention-transposed-before-values")
def mha_by_loop(*inputs):
    """The weights were transposed before meeting v: every token now collects from its future. It is weights @ v."""
    return by_loop(*inputs, weigh=lambda scores: softmax(scores).transpose(-2, -1))


# Joining the heads


@misconception("merge-heads-averaged")
def mha_by_loop(*inputs):
    """Only the width of one head is left: heads are neither averaged nor summed nor picked, they stand side by side."""
    return by_loop(*inputs, join=lambda heads, out_weight: sum(heads) @ out_weight.T)


@misconception("merge-heads-averaged")
def mha_by_loop(*inputs):
    """What the heads contribute was averaged: it is h times too small. Every head counts in full."""
    return by_loop(*inputs, join=lambda heads, out_weight: side_by_side(heads, out_weight) / len(heads))


@misconception("merge-heads-averaged")
def mha_by_loop(*inputs):
    """The heads were averaged and the average copied h times. They have to stand side by side as they are."""

    def copied(heads, out_weight):
        return side_by_side([sum(heads) / len(heads)] * len(heads), out_weight)

    return by_loop(*inputs, join=copied)


@misconception("merge-cat-along-time")
def mha_by_loop(*inputs):
    """The heads were joined along the tokens. Join them along the channels: torch.cat(heads, dim=-1)."""
    return by_loop(*inputs, join=lambda heads, out_weight: torch.cat(heads, dim=1) @ out_weight.T)


@misconception("merge-cat-along-time")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """The heads were joined along the tokens and then reshaped. Join them along the channels: dim=-1."""

    def join(heads, out_weight):
        return torch.cat(heads, dim=1).reshape(x.shape) @ out_weight.T

    return by_loop(x, qkv_weight, out_weight, n_heads, join=join)


@misconception("merge-interleaved-channels")
def mha_by_loop(*inputs):
    """The heads were shuffled into each other like cards. Join all of head 0, then all of head 1, and so on."""
    return by_loop(*inputs, join=lambda heads, out_weight: torch.stack(heads, dim=-1).flatten(2) @ out_weight.T)


@misconception("merge-keeps-one-head")
def mha_by_loop(*inputs):
    """Only what the last head contributes is left: the loop overwrites its result instead of adding to it."""

    def last(heads, out_weight):
        return heads[-1] @ out_weight[:, -heads[-1].shape[-1] :].T

    return by_loop(*inputs, join=last)


@misconception("output-projection-missing")
def mha_by_loop(*inputs):
    """The heads are returned as they stand side by side. The last step is @ out_weight.T, which lets them mix."""
    return by_loop(*inputs, join=lambda heads, out_weight: torch.cat(heads, dim=-1))


@misconception("output-weight-not-transposed")
def mha_by_loop(*inputs):
    """out_weight is used the wrong way round: transpose it, or give head i its columns and not its rows."""
    return by_loop(*inputs, join=lambda heads, out_weight: torch.cat(heads, dim=-1) @ out_weight)


@misconception("output-wrong-slice")
def mha_by_loop(*inputs):
    """Every head goes through the first d columns of out_weight. Head i has columns i*d to (i+1)*d of its own."""
    return by_loop(*inputs, join=lambda heads, out_weight: sum(heads) @ out_weight[:, : heads[0].shape[-1]].T)


@misconception("residual-inside")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """The input was added to the output. That is the residual path, and it belongs outside of attention."""
    return _right(x, qkv_weight, out_weight, n_heads) + x


@misconception("first-batch-item-only")
def mha_by_loop(*inputs):
    """All sequences use the attention weights of the first one: an index [0] is left over."""
    return by_loop(*inputs, weigh=lambda scores: softmax(scores[:1]))


# Right numbers, and still something wrong


@misconception("modifies-input")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """The answer is right but x was overwritten, and its owner may still need it. Collect the heads in a new tensor."""
    return x.copy_(_right(x, qkv_weight, out_weight, n_heads))


@misconception("modifies-input")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """The answer is right but qkv_weight was scaled in place, and is wrong the next time. Scale the scores, or
    a copy."""
    result = _right(x, qkv_weight, out_weight, n_heads)
    qkv_weight[: x.shape[-1]] /= math.sqrt(x.shape[-1] // n_heads)
    return result


@misconception("gradient-cut")
def mha_by_loop(*inputs):
    """The numbers are right, but no gradient passes the attention weights (detach, tolist, no_grad): q and k
    cannot learn."""
    return by_loop(*inputs, weigh=lambda scores: softmax(scores).detach())


@misconception("gradient-cut")
def mha_by_loop(*inputs):
    """The numbers are right, but the path ends before out_weight (detach, .data, no_grad): nothing else can learn."""
    return by_loop(*inputs, join=lambda heads, out_weight: torch.cat(heads, dim=-1).detach() @ out_weight.T)


@misconception("gradient-cut")
def mha_by_loop(*inputs):
    """The numbers are right, but the whole path is cut off (no_grad, detach, .data): nothing here can learn."""
    return _right(*inputs).detach()


@misconception("gradient-cut")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """The numbers are right, but the weights are used through .data or detach: they cannot learn."""
    return _right(x, qkv_weight.detach(), out_weight.detach(), n_heads)


@misconception("gradient-cut")
def mha_by_loop(*inputs):
    """The numbers are right, but NumPy knows no gradients: calling numpy() on the way fails as soon as
    training begins."""
    return by_loop(*inputs, weigh=lambda scores: torch.from_numpy(softmax(scores).numpy()))


@misconception("squeeze-drops-dims")
def mha_by_loop(*inputs):
    """squeeze() removes every axis of size 1, so a batch of one sequence or one token loses an axis."""
    return _right(*inputs).squeeze()


@misconception("squeeze-drops-dims")
def mha_by_loop(*inputs):
    """squeeze(0) removes the batch axis as soon as there is only one sequence."""
    return _right(*inputs).squeeze(0)
