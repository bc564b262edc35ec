"""Wrong answers to gqa that are worth naming. The docstring of each is the sentence its author hears.

`Attention` is the right answer cut into steps; each wrong one replaces the step in which its thought goes astray.
"""

import math

import torch

from autograder.course import misconception

INF = float("inf")
_right = gqa  # noqa: F821 - the model answer stands above this file when a wrong answer is cut out


def lower(scores, diagonal=0):
    return torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal)


class Attention:
    def __call__(self, x, wq, wk, wv, wo, n_heads, n_kv_heads):
        self.x, self.wo = x, wo
        self.B, self.T, self.C = x.shape
        self.h, self.n_kv, self.d = n_heads, n_kv_heads, x.shape[-1] // n_heads
        self.check()
        self.group = n_heads // n_kv_heads
        q, k, v = self.split_queries(x @ wq.T), *(self.split(x @ w.T) for w in (wk, wv))
        y = self.weigh(self.mask(self.scores(q, self.share_keys(k)))) @ self.share_values(v)
        return self.combine(self.merge(y))

    def check(self):
        if self.h % self.n_kv:
            raise ValueError(f"{self.h} query heads cannot share {self.n_kv} heads of keys and values evenly")

    def split_queries(self, t):  # (B, T, C) -> (B, h, T, d)
        return t.reshape(self.B, self.T, self.h, -1).transpose(1, 2)

    def split(self, t):  # (B, T, n_kv * d) -> (B, n_kv, T, d)
        return t.reshape(self.B, self.T, self.n_kv, -1).transpose(1, 2)

    def share(self, t):  # (B, n_kv, T, d) -> (B, h, T, d)
        return t.repeat_interleave(self.group, dim=1)

    def share_keys(self, k):
        return self.share(k)

    def share_values(self, v):
        return self.share(v)

    def divisor(self):
        return math.sqrt(self.d)

    def scores(self, q, k):
        return q @ k.transpose(-2, -1) / self.divisor()

    def mask(self, scores):
        return scores.masked_fill(~lower(scores), -INF)

    def weigh(self, scores):
        return scores.softmax(dim=-1)

    def merge(self, y):  # (B, h, T, d) -> (B, T, C)
        return y.transpose(1, 2).flatten(2)

    def combine(self, y):
        return y @ self.wo.T


# Who shares with whom


@misconception("kv-heads-tiled")
def gqa(*inputs):
    """The heads of keys were dealt out in turn (0, 1, 2, 0, 1, 2). Neighbours share: 0, 0, 1, 1, 2, 2, which is
    repeat_interleave, not repeat."""

    class Tiled(Attention):
        def share(self, t):
            return t.repeat(1, self.group, 1, 1)

    return Tiled()(*inputs)


@misconception("kv-heads-tiled")
def gqa(*inputs):
    """The values are shared by neighbours, but the keys were dealt out in turn (0, 1, 2, 0, 1, 2): both are 0, 0, 1,
    1, 2, 2."""

    class Tiled(Attention):
        def share_keys(self, k):
            return k.repeat(1, self.group, 1, 1)

    return Tiled()(*inputs)


@misconception("kv-heads-tiled")
def gqa(*inputs):
    """The keys are shared by neighbours, but the values were dealt out in turn (0, 1, 2, 0, 1, 2): both are 0, 0, 1,
    1, 2, 2."""

    class Tiled(Attention):
        def share_values(self, v):
            return v.repeat(1, self.group, 1, 1)

    return Tiled()(*inputs)


@misconception("gqa-channels-repeated")
def gqa(*inputs):
    """Single channels were repeated, not whole heads: cut into (B, n_kv, T, d) first, then repeat along the head
    axis."""

    class Channels(Attention):
        def split(self, t):
            return t.repeat_interleave(self.group, dim=-1).reshape(self.B, self.T, self.h, -1).transpose(1, 2)

        def share(self, t):
            return t

    return Channels()(*inputs)


@misconception("gqa-not-shared-out")
def gqa(*inputs):
    """There are fewer heads of keys and values than queries, and not both are repeated for the members of each
    group."""

    class Bare(Attention):
        def share(self, t):
            return t

    return Bare()(*inputs)


@misconception("gqa-not-shared-out")
def gqa(*inputs):
    """The keys are repeated for each member of a group, the values are not. A group shares both."""

    class KeysOnly(Attention):
        def share_values(self, v):
            return v

    return KeysOnly()(*inputs)


@misconception("gqa-not-shared-out")
def gqa(*inputs):
    """The values are repeated for each member of a group, the keys are not. A group shares both."""

    class ValuesOnly(Attention):
        def share_keys(self, k):
            return k

    return ValuesOnly()(*inputs)


@misconception("gqa-repeats-kv-times")
def gqa(*inputs):
    """Each head of keys was repeated n_kv_heads times. It has as many users as a group has members: h // n_kv."""

    class Times(Attention):
        def share(self, t):
            return t.repeat_interleave(self.n_kv, dim=1)

    return Times()(*inputs)


@misconception("gqa-repeats-kv-times")
def gqa(*inputs):
    """Each head of keys was repeated n_heads times. It has as many users as a group has members: h // n_kv."""

    class Times(Attention):
        def share(self, t):
            return t.repeat_interleave(self.h, dim=1)

    return Times()(*inputs)


@misconception("gqa-group-for-heads")
def gqa(*inputs):
    """Query head i uses head i // n_kv_heads of the keys. Divide by the members of a group: i // (h // n_kv)."""

    class Divided(Attention):
        def share(self, t):
            return t[:, [i // self.n_kv for i in range(self.h)]]

    return Divided()(*inputs)


@misconception("gqa-group-for-heads")
def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    """Query head i uses head i // n_kv_heads of the keys. Divide by the members of a group: i // (h // n_kv)."""
    if n_heads % n_kv_heads:
        raise ValueError("groups have to come out even")
    d = x.shape[-1] // n_heads
    heads = []
    for i in range(n_heads):
        shared = slice(i // n_kv_heads * d, (i // n_kv_heads + 1) * d)
        q, k, v = (x @ w[rows].T for w, rows in ((wq, slice(i * d, i * d + d)), (wk, shared), (wv, shared)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(d)
        heads.append(scores.masked_fill(~lower(scores), -INF).softmax(dim=-1) @ v)
    return torch.cat(heads, dim=-1) @ wo.T


@misconception("gqa-group-size-fixed")
def gqa(*inputs):
    """Your groups always have two members. How many share follows from the call: n_heads // n_kv_heads."""

    class Pairs(Attention):
        def share(self, t):
            return t.repeat_interleave(2, dim=1)

    return Pairs()(*inputs)


@misconception("gqa-group-size-fixed")
def gqa(*inputs):
    """Your groups always have four members. How many share follows from the call: n_heads // n_kv_heads."""

    class Fours(Attention):
        def share(self, t):
            return t.repeat_interleave(4, dim=1)

    return Fours()(*inputs)


@misconception("gqa-wrong-axis-repeated")
def gqa(*inputs):
    """The tokens were repeated, not the heads: after the transpose the heads are axis 1 of (B, n_kv, T, d)."""

    class Time(Attention):
        def share(self, t):
            return t.repeat_interleave(self.group, dim=2)

    return Time()(*inputs)


@misconception("gqa-wrong-axis-repeated")
def gqa(*inputs):
    """The tokens were repeated, not the heads: repeat along axis 1 after the transpose, or along axis 2 before it."""

    class Time(Attention):
        def share(self, t):
            return t.repeat_interleave(self.group, dim=2)

        def mask(self, scores):
            return scores.masked_fill(torch.ones(self.T, self.T).triu(1) == 1, -INF)

    return Time()(*inputs)


@misconception("gqa-wrong-axis-repeated")
def gqa(*inputs):
    """The sequences were repeated, not the heads: the heads are axis 1 of (B, n_kv, T, d)."""

    class Batch(Attention):
        def share(self, t):
            return t.repeat_interleave(self.group, dim=0)

    return Batch()(*inputs)


@misconception("heads-share-keys-values")
def gqa(*inputs):
    """All query heads use the first head of keys and values. Each group has one of its own: head i uses head
    i // (h // n_kv)."""

    class First(Attention):
        def share(self, t):
            return t[:, :1]

    return First()(*inputs)


@misconception("heads-share-keys-values")
def gqa(*inputs):
    """All query heads use the last head of keys and values. Each group has one of its own: head i uses head
    i // (h // n_kv)."""

    class Last(Attention):
        def share(self, t):
            return t[:, -1:]

    return Last()(*inputs)


@misconception("heads-share-keys-values")
def gqa(*inputs):
    """All query heads use the first head of keys. Each group has keys of its own, as it has values of its own."""

    class First(Attention):
        def share_keys(self, k):
            return k[:, :1]

    return First()(*inputs)


@misconception("heads-share-keys-values")
def gqa(*inputs):
    """All query heads use the first head of values. Each group has values of its own, as it has keys of its own."""

    class First(Attention):
        def share_values(self, v):
            return v[:, :1]

    return First()(*inputs)


@misconception("gqa-kv-heads-averaged")
def gqa(*inputs):
    """The heads of keys and values were averaged into one for everybody. Each group uses one of them as it is."""

    class Mean(Attention):
        def share(self, t):
            return t.mean(dim=1, keepdim=True)

    return Mean()(*inputs)


@misconception("gqa-queries-averaged")
def gqa(*inputs):
    """The query heads of a group were averaged into one. They share keys and values, and each asks its own
    question."""

    class Mean(Attention):
        def split_queries(self, t):
            q = super().split_queries(t).unflatten(1, (self.n_kv, self.group))
            return q.mean(dim=2).repeat_interleave(self.group, dim=1)

    return Mean()(*inputs)


@misconception("gqa-queries-averaged")
def gqa(*inputs):
    """The query heads of a group were averaged into one, so that too few results are left for wo. Each asks its own
    question."""

    class Mean(Attention):
        def split_queries(self, t):
            return super().split_queries(t).unflatten(1, (self.n_kv, self.group)).mean(dim=2)

        def share(self, t):
            return t

    return Mean()(*inputs)


@misconception("gqa-head-size-from-kv")
def gqa(*inputs):
    """The scores are divided by the root of C // n_kv_heads. A dot product runs over the channels of one head:
    d = C // n_heads."""

    class Wide(Attention):
        def divisor(self):
            return math.sqrt(self.C / self.n_kv)

    return Wide()(*inputs)


@misconception("gqa-head-size-from-kv")
def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    """Your heads of keys have C // n_kv_heads channels, which wk does not have: the head size is C // n_heads for
    all."""

    class Wide(Attention):
        def split(self, t):
            return t.view(self.B, self.T, self.n_kv, self.C // self.n_kv).transpose(1, 2)

    return Wide()(x, wq, wk, wv, wo, n_heads, n_kv_heads)


@misconception("gqa-keys-cut-into-n-heads")
def gqa(*inputs):
    """Keys and values were cut into n_heads pieces, so that each is too small for its query: they have n_kv_heads
    heads."""

    class Small(Attention):
        def split(self, t):
            return t.reshape(self.B, self.T, self.h, -1).transpose(1, 2)

        def share(self, t):
            return t

    return Small()(*inputs)


@misconception("gqa-keys-cut-into-n-heads")
def gqa(*inputs):
    """Keys and values were to be cut into n_heads heads, and do not have that many: they have n_kv_heads heads."""

    class Many(Attention):
        def split(self, t):
            return t.view(self.B, self.T, self.h, self.d).transpose(1, 2)

    return Many()(*inputs)


@misconception("nondivisible-accepted")
def gqa(*inputs):
    """Right where it comes out even. Where n_kv_heads does not divide n_heads some groups are larger: refuse that."""

    class Uneven(Attention):
        def check(self):
            pass

        def share(self, t):
            return t[:, [i * self.n_kv // self.h for i in range(self.h)]]

    return Uneven()(*inputs)


@misconception("nondivisible-accepted")
def gqa(*inputs):
    """Right where it comes out even. Where n_kv_heads does not divide n_heads the last group is larger: refuse that."""

    class Uneven(Attention):
        def check(self):
            pass

        def share(self, t):
            return t[:, [min(i // max(self.group, 1), self.n_kv - 1) for i in range(self.h)]]

    return Uneven()(*inputs)


@misconception("nondivisible-accepted")
def gqa(*inputs):
    """Right where it comes out even. Where n_kv_heads does not divide n_heads some heads are made up: refuse that."""

    class Uneven(Attention):
        def check(self):
            pass

        def share(self, t):
            full = t.repeat_interleave(-(-self.h // self.n_kv), dim=1)
            return full[:, : self.h]

    return Uneven()(*inputs)


# The attention itself


@misconception("scale-missing")
def gqa(*inputs):
    """The scores are not divided by the square root of the head size."""

    class Unscaled(Attention):
        def divisor(self):
            return 1

    return Unscaled()(*inputs)


@misconception("scale-d-model")
def gqa(*inputs):
    """The scores are divided by the root of the whole width. A dot product runs over one head: divide by sqrt(d)."""

    class Unscaled(Attention):
        def divisor(self):
            return math.sqrt(self.C)

    return Unscaled()(*inputs)


@misconception("scale-no-sqrt")
def gqa(*inputs):
    """The scores are divided by d, or by sqrt(d) twice (scaled_dot_product_attention scales by itself)."""

    class Unscaled(Attention):
        def divisor(self):
            return self.d

    return Unscaled()(*inputs)


@misconception("scale-multiplied")
def gqa(*inputs):
    """The scores are multiplied by sqrt(d). Divide, so that they do not grow with the head size."""

    class Unscaled(Attention):
        def divisor(self):
            return 1 / math.sqrt(self.d)

    return Unscaled()(*inputs)


@misconception("scale-n-heads")
def gqa(*inputs):
    """The scores are divided by the root of the number of heads. It has to be the size of one head."""

    class Unscaled(Attention):
        def divisor(self):
            return math.sqrt(self.h)

    return Unscaled()(*inputs)


@misconception("mask-missing")
def gqa(*inputs):
    """No token is hidden. Is there a mask at all, and is the result of masked_fill kept?"""

    class Open(Attention):
        def mask(self, scores):
            return scores

    return Open()(*inputs)


@misconception("mask-leaks-next-token")
def gqa(*inputs):
    """The mask begins one token late: every token sees the next one, the very answer it is to predict."""

    class Late(Attention):
        def mask(self, scores):
            return scores.masked_fill(~lower(scores, 1), -INF)

    return Late()(*inputs)


@misconception("mask-diagonal-excluded")
def gqa(*inputs):
    """A token may look at itself. Your first row has nobody to look at, and the NaN comes from there."""

    class Strict(Attention):
        def mask(self, scores):
            return scores.masked_fill(~lower(scores, -1), -INF)

    return Strict()(*inputs)


@misconception("mask-upper-not-lower")
def gqa(*inputs):
    """The past is hidden and the future is open. Rows are queries: row t may look at columns 0 to t."""

    class Upper(Attention):
        def mask(self, scores):
            return scores.masked_fill(lower(scores, -1), -INF)

    return Upper()(*inputs)


@misconception("mask-inverted")
def gqa(*inputs):
    """The mask is upside down: what may be looked at got -inf. The last row has nobody left, so it is NaN."""

    class Inverted(Attention):
        def mask(self, scores):
            return scores.masked_fill(lower(scores), -INF)

    return Inverted()(*inputs)


@misconception("mask-fill-zero")
def gqa(*inputs):
    """Hidden scores became 0, and exp(0) is 1: the future still gets its share. Fill with -inf before the softmax."""

    class Zero(Attention):
        def mask(self, scores):
            return scores.tril()

    return Zero()(*inputs)


@misconception("mask-after-softmax")
def gqa(*inputs):
    """Masked after the softmax: the future has already taken its share and the rows sum to less than 1."""

    class After(Attention):
        def mask(self, scores):
            return scores

        def weigh(self, scores):
            return scores.softmax(dim=-1).tril()

    return After()(*inputs)


@misconception("softmax-over-queries")
def gqa(*inputs):
    """The columns sum to 1, not the rows. Each query shares out its attention among the keys: dim=-1."""

    class Columns(Attention):
        def weigh(self, scores):
            return scores.softmax(dim=-2)

    return Columns()(*inputs)


@misconception("softmax-over-heads")
def gqa(*inputs):
    """The softmax runs over the heads. It has to run over the keys: dim=-1."""

    class Heads(Attention):
        def weigh(self, scores):
            return scores.softmax(dim=1).nan_to_num(0.0)

    return Heads()(*inputs)


@misconception("split-view-no-transpose")
def gqa(*inputs):
    """The queries were reshaped straight to (B, h, T, d), which cuts through tokens: reshape to (B, T, h, d), then
    transpose."""

    class Straight(Attention):
        def split_queries(self, t):
            return t.reshape(self.B, self.h, self.T, -1)

    return Straight()(*inputs)


@misconception("split-view-no-transpose")
def gqa(*inputs):
    """Keys and values were reshaped straight to (B, n_kv, T, d), which cuts through tokens: reshape to (B, T, n_kv, d),
    then transpose."""

    class Straight(Attention):
        def split(self, t):
            return t.reshape(self.B, self.n_kv, self.T, -1)

    return Straight()(*inputs)


@misconception("split-view-no-transpose")
def gqa(*inputs):
    """Everything was reshaped straight to (B, heads, T, d), which cuts through tokens: reshape to (B, T, heads, d),
    then transpose."""

    class Straight(Attention):
        def split_queries(self, t):
            return t.reshape(self.B, self.h, self.T, -1)

        def split(self, t):
            return t.reshape(self.B, self.n_kv, self.T, -1)

    return Straight()(*inputs)


@misconception("merge-without-transpose")
def gqa(*inputs):
    """The result was reshaped from (B, h, T, d) as it stands, which mixes tokens: transpose(1, 2) first."""

    class Mixed(Attention):
        def merge(self, y):
            return y.reshape(self.B, self.T, self.C)

    return Mixed()(*inputs)


@misconception("merge-interleaved-channels")
def gqa(*inputs):
    """The heads were shuffled into each other like cards. All channels of head 0 come first, then those of head 1."""

    class Shuffled(Attention):
        def merge(self, y):
            return y.permute(0, 2, 3, 1).flatten(2)

    return Shuffled()(*inputs)


@misconception("output-projection-missing")
def gqa(*inputs):
    """The merged heads are returned as they are. The last step is @ wo.T, which lets them mix."""

    class Bare(Attention):
        def combine(self, y):
            return y

    return Bare()(*inputs)


@misconception("output-weight-not-transposed")
def gqa(*inputs):
    """wo is used the wrong way round: as in torch.nn.Linear it has to be transposed, y @ wo.T."""

    class Transposed(Attention):
        def combine(self, y):
            return y @ self.wo

    return Transposed()(*inputs)


@misconception("qkv-weight-not-transposed")
def gqa(x, wq, *rest):
    """wq is used the wrong way round: as in torch.nn.Linear it has to be transposed, x @ wq.T."""
    return _right(x, wq.T, *rest)


@misconception("qkv-weight-not-transposed")
def gqa(x, wq, wk, wv, *rest):
    """wk is (n_kv * d, C), and x ends in C: the product needs its transpose, x @ wk.T."""
    return _right(x, wq.T, wk.T, wv.T, *rest)


@misconception("qkv-weight-not-transposed")
def gqa(x, wq, wk, wv, *rest):
    """wk is (n_kv * d, C), and x ends in C: the product needs its transpose, x @ wk.T."""
    return _right(x, wq, wk.T, wv.T, *rest)


@misconception("qkv-weight-not-transposed")
def gqa(x, wq, wk, wv, wo, *rest):
    """None of the weights is transposed. Their rows are the outputs, as in torch.nn.Linear: x @ wk.T."""
    return _right(x, wq.T, wk.T, wv.T, wo.T, *rest)


@misconception("qkv-order-permuted")
def gqa(x, wq, wk, wv, *rest):
    """Keys and values have changed places: what is compared with the queries comes from wk, what is collected from
    wv."""
    return _right(x, wq, wv, wk, *rest)


@misconception("value-uses-key-projection")
def gqa(x, wq, wk, wv, *rest):
    """What is collected are the keys; wv is never used."""
    return _right(x, wq, wk, wk, *rest)


# Right numbers, and still something wrong


@misconception("modifies-input")
def gqa(x, *rest):
    """The answer is right but x was overwritten, and its owner may still need it."""
    return x.copy_(_right(x, *rest))


@misconception("gradient-cut")
def gqa(*inputs):
    """The numbers are right, but no gradient passes the attention weights (detach, tolist, no_grad): queries and keys
    cannot learn."""

    class Cut(Attention):
        def weigh(self, scores):
            return super().weigh(scores).detach()

    return Cut()(*inputs)


@misconception("gradient-cut")
def gqa(*inputs):
    """The numbers are right, but the whole path is cut off (no_grad, detach, .data): nothing here can learn."""
    return _right(*inputs).detach()


@misconception("squeeze-drops-dims")
def gqa(*inputs):
    """A batch of one sequence or one token loses an axis, as squeeze() takes away every axis of size 1."""
    return _right(*inputs).squeeze()


@misconception("squeeze-drops-dims")
def gqa(*inputs):
    """As soon as there is only one sequence the batch axis is gone, as squeeze(0) or an index [0] does it."""
    return _right(*inputs).squeeze(0)
