"""Wrong answers to MultiHeadAttention that are worth naming. The docstring of each is the sentence its author hears.

`Attention` is the right module cut into steps; each wrong answer replaces the step in which its thought goes astray.
"""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from autograder.course import misconception

INF = float("inf")


class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.check(d_model, n_heads)
        self.C, self.h, self.d = d_model, n_heads, d_model // n_heads
        self.layers(d_model)

    def check(self, C, h):
        if C % h:
            raise ValueError(f"width {C} cannot be cut into {h} equal heads")

    def layers(self, C):
        self.qkv = nn.Linear(C, 3 * C, bias=False)
        self.out = nn.Linear(C, C, bias=False)

    def forward(self, x):
        q, k, v = (self.split(t) for t in self.project(x))
        return self.combine(self.merge(self.attend(q, k, v)))

    def project(self, x):  # three times (B, T, C)
        return self.qkv(x).chunk(3, dim=-1)

    def split(self, t):  # (B, T, C) -> (B, h, T, d)
        return t.reshape(*t.shape[:2], self.h, -1).transpose(1, 2)

    def attend(self, q, k, v):  # (B, h, T, d)
        return self.weigh(self.mask(self.score(q, k))) @ v

    def score(self, q, k):  # (B, h, T, T)
        return q @ k.transpose(-2, -1) / self.divisor(q)

    def divisor(self, q):
        return math.sqrt(q.shape[-1])

    def mask(self, scores):
        return scores.masked_fill(~lower(scores), -INF)

    def weigh(self, scores):
        return scores.softmax(dim=-1)

    def merge(self, y):  # (B, h, T, d) -> (B, T, C)
        return y.transpose(1, 2).flatten(2)

    def combine(self, y):
        return self.out(y)


def lower(scores, diagonal=0, size=None):
    size = size or scores.shape[-1]
    return torch.ones(size, size, dtype=torch.bool).tril(diagonal)


# What the constructor promised


@misconception("contract-bias-present")
class MultiHeadAttention(Attention):
    """With zeros for the biases the attention is right, but nn.Linear adds a bias by default: say bias=False, twice."""

    def layers(self, C):
        self.qkv, self.out = nn.Linear(C, 3 * C), nn.Linear(C, C)


@misconception("contract-bias-present")
class MultiHeadAttention(Attention):
    """With zeros for the bias the attention is right, but `out` has one: nn.Linear adds it unless told bias=False."""

    def layers(self, C):
        self.qkv, self.out = nn.Linear(C, 3 * C, bias=False), nn.Linear(C, C)


@misconception("contract-bias-present")
class MultiHeadAttention(Attention):
    """With zeros for the bias the attention is right, but `qkv` has one: nn.Linear adds it unless told bias=False."""

    def layers(self, C):
        self.qkv, self.out = nn.Linear(C, 3 * C), nn.Linear(C, C, bias=False)


class Separate(Attention):
    """Projects with three layers q, k, v; the last layer is called `last`."""

    bias, last = False, "out"

    def layers(self, C):
        for name in ("q", "k", "v", self.last):
            setattr(self, name, nn.Linear(C, C, bias=self.bias))

    def project(self, x):
        return self.q(x), self.k(x), self.v(x)

    def combine(self, y):
        return getattr(self, self.last)(y)


@misconception("contract-separate-qkv-linears")
class MultiHeadAttention(Separate):
    """Three layers for q, k and v compute the same, but weights can be handed over only if one fused layer is
    called qkv."""


@misconception("contract-separate-qkv-linears")
class MultiHeadAttention(Separate):
    """Three layers for q, k and v compute the same, but the exercise asks for one layer `qkv`, and for no biases."""

    bias = True


@misconception("contract-separate-qkv-linears")
class MultiHeadAttention(Separate):
    """Four layers compute the same, but weights are handed over by name: one fused layer `qkv`, then one
    called `out`."""

    last = "proj"


@misconception("contract-separate-qkv-linears")
class MultiHeadAttention(Separate):
    """Four layers compute the same, but weights are handed over by name: one layer `qkv` and one `out`,
    without biases."""

    bias, last = True, "proj"


@misconception("contract-separate-qkv-linears")
class MultiHeadAttention(Attention):
    """A layer of its own for every head is a fine reading of the idea; here all of them are rows of one layer `qkv`."""

    def layers(self, C):
        self.heads = nn.ModuleList(nn.Linear(C, 3 * self.d, bias=False) for _ in range(self.h))
        self.out = nn.Linear(C, C, bias=False)

    def project(self, x):
        heads = [head(x).chunk(3, dim=-1) for head in self.heads]
        return [torch.cat(parts, dim=-1) for parts in zip(*heads, strict=True)]


@misconception("contract-separate-qkv-linears")
class MultiHeadAttention(Attention):
    """Three layers for every head are a fine reading of the idea; here all of them are rows of one layer `qkv`."""

    def layers(self, C):
        self.heads = nn.ModuleList(nn.Linear(C, self.d, bias=False) for _ in range(3 * self.h))
        self.out = nn.Linear(C, C, bias=False)

    def project(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1).chunk(3, dim=-1)


@misconception("contract-heads-not-registered")
class MultiHeadAttention(Attention):
    """A plain list hides its layers: parameters() does not see them, so nothing trains or loads them. One
    `qkv` layer does."""

    def layers(self, C):
        self.heads = [nn.Linear(C, 3 * self.d, bias=False) for _ in range(self.h)]
        self.out = nn.Linear(C, C, bias=False)

    def project(self, x):
        heads = [head(x).chunk(3, dim=-1) for head in self.heads]
        return [torch.cat(parts, dim=-1) for parts in zip(*heads, strict=True)]


@misconception("contract-heads-not-registered")
class MultiHeadAttention(Attention):
    """A plain list hides its layers: parameters() does not see them, so nothing trains or loads them. One
    `qkv` layer does."""

    def layers(self, C):
        self.heads = [nn.Linear(C, 3 * self.d) for _ in range(self.h)]
        self.out = nn.Linear(C, C)

    def project(self, x):
        heads = [head(x).chunk(3, dim=-1) for head in self.heads]
        return [torch.cat(parts, dim=-1) for parts in zip(*heads, strict=True)]


@misconception("contract-other-names")
class MultiHeadAttention(Attention):
    """Both matrices are there, but weights are handed over by name: the first layer is called `qkv`, the last
    one `out`."""

    def layers(self, C):
        self.c_attn, self.c_proj = nn.Linear(C, 3 * C, bias=False), nn.Linear(C, C, bias=False)

    def project(self, x):
        return self.c_attn(x).chunk(3, dim=-1)

    def combine(self, y):
        return self.c_proj(y)


@misconception("contract-other-names")
class MultiHeadAttention(Attention):
    """`qkv` is as agreed; the last layer has another name than `out`, so nobody can hand its weights over."""

    def layers(self, C):
        self.qkv, self.proj = nn.Linear(C, 3 * C, bias=False), nn.Linear(C, C, bias=False)

    def combine(self, y):
        return self.proj(y)


@misconception("contract-other-names")
class MultiHeadAttention(Attention):
    """`out` is as agreed; the fused layer has another name than `qkv`, so nobody can hand its weights over."""

    def layers(self, C):
        self.fused, self.out = nn.Linear(C, 3 * C, bias=False), nn.Linear(C, C, bias=False)

    def project(self, x):
        return self.fused(x).chunk(3, dim=-1)


@misconception("contract-wraps-nn-multihead")
class MultiHeadAttention(nn.Module):
    """torch's own module does the work here. Write it yourself this time, with `qkv` and `out`."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x, attn_mask=~lower(x, size=x.shape[1]), need_weights=False)[0]


@misconception("contract-wraps-nn-multihead")
class MultiHeadAttention(nn.Module):
    """torch's own module does the work here, with biases. Write it yourself this time, with `qkv` and `out`."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, n_heads, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x, attn_mask=~lower(x, size=x.shape[1]), need_weights=False)[0]


@misconception("contract-projection-per-slice")
class MultiHeadAttention(Attention):
    """Your layer reads d channels: the input was cut first. Every head may read all C channels; project, then split."""

    def layers(self, C):
        self.qkv, self.out = nn.Linear(self.d, 3 * self.d, bias=False), nn.Linear(C, C, bias=False)

    def project(self, x):
        cut = self.qkv(x.unflatten(-1, (self.h, self.d))).chunk(3, dim=-1)
        return [t.flatten(2) for t in cut]


@misconception("contract-projection-per-slice")
class MultiHeadAttention(Attention):
    """Your layers read d channels: the input was cut first. Every head may read all C channels; project, then split."""

    def layers(self, C):
        self.q, self.k, self.v = (nn.Linear(self.d, self.d, bias=False) for _ in range(3))
        self.out = nn.Linear(C, C, bias=False)

    def project(self, x):
        return [layer(x.unflatten(-1, (self.h, self.d))).flatten(2) for layer in (self.q, self.k, self.v)]


@misconception("contract-projection-per-slice")
class MultiHeadAttention(Attention):
    """Your layers read d channels: the input was cut first. Every head may read all C channels; project, then split."""

    def layers(self, C):
        self.q, self.k, self.v = (nn.Linear(self.d, self.d, bias=False) for _ in range(3))
        self.proj = nn.Linear(C, C)

    def project(self, x):
        return [layer(x.unflatten(-1, (self.h, self.d))).flatten(2) for layer in (self.q, self.k, self.v)]

    def combine(self, y):
        return self.proj(y)


@misconception("contract-projection-per-slice")
class MultiHeadAttention(Attention):
    """Head i projects slice i of the input only. Every head may read all C channels: project first, then split."""

    def layers(self, C):
        self.qkv = nn.ModuleList(nn.Linear(self.d, 3 * self.d, bias=False) for _ in range(self.h))
        self.out = nn.Linear(C, C, bias=False)

    def project(self, x):
        cut = [layer(t).chunk(3, dim=-1) for layer, t in zip(self.qkv, x.split(self.d, dim=-1), strict=True)]
        return [torch.cat(parts, dim=-1) for parts in zip(*cut, strict=True)]


@misconception("contract-projection-per-slice")
class MultiHeadAttention(Attention):
    """Head i projects slice i of the input only. Every head may read all C channels: project first, then split."""

    def layers(self, C):
        self.heads = nn.ModuleList(nn.Linear(self.d, self.d, bias=False) for _ in range(3 * self.h))
        self.out = nn.Linear(C, C, bias=False)

    def project(self, x):
        cut = [layer(t) for layer, t in zip(self.heads, 3 * x.split(self.d, dim=-1), strict=True)]
        return torch.cat(cut, dim=-1).chunk(3, dim=-1)


@misconception("contract-returns-tuple")
class MultiHeadAttention(Attention):
    """Several values come back. Return the output alone: the next layer wants one tensor of the shape of x."""

    def forward(self, x):
        return super().forward(x), None


@misconception("contract-returns-nothing")
class MultiHeadAttention(Attention):
    """forward computes and then says nothing: the last line needs `return`."""

    def forward(self, x):
        super().forward(x)


# Reading the fused projection


@misconception("query-key-swapped")
class MultiHeadAttention(Attention):
    """Queries and keys have changed places, in the unpacking or in the product: rows look, columns are looked at."""

    def score(self, q, k):
        return super().score(k, q)


@misconception("qkv-order-permuted")
class MultiHeadAttention(Attention):
    """The attention is right, the thirds of qkv are taken as k, v, q. Here the order is q, k, v."""

    def project(self, x):
        k, v, q = super().project(x)
        return q, k, v


@misconception("qkv-order-permuted")
class MultiHeadAttention(Attention):
    """The attention is right, the thirds of qkv are taken as v, q, k. Here the order is q, k, v."""

    def project(self, x):
        v, q, k = super().project(x)
        return q, k, v


@misconception("qkv-order-permuted")
class MultiHeadAttention(Attention):
    """The attention is right, the thirds of qkv are taken as v, k, q. Here the order is q, k, v."""

    def project(self, x):
        v, k, q = super().project(x)
        return q, k, v


@misconception("qkv-order-permuted")
class MultiHeadAttention(Attention):
    """The attention is right, the thirds of qkv are taken as q, v, k. Here the order is q, k, v."""

    def project(self, x):
        q, v, k = super().project(x)
        return q, k, v


@misconception("qkv-interleaved-per-head")
class MultiHeadAttention(Attention):
    """You read q, k and v of head 0, then of head 1, as some checkpoints store them. Here all queries come first."""

    def project(self, x):
        return [t.flatten(2) for t in self.qkv(x).unflatten(-1, (self.h, 3, self.d)).unbind(3)]


@misconception("qkv-interleaved-innermost")
class MultiHeadAttention(Attention):
    """You read q, k, v anew for each channel, every third output. Here all queries come first, then keys, then
    values."""

    def project(self, x):
        return self.qkv(x).unflatten(-1, (self.C, 3)).unbind(3)


@misconception("qkv-cut-along-time")
class MultiHeadAttention(Attention):
    """The fused projection was cut into three groups of tokens. Cut its channels: dim=-1."""

    def project(self, x):
        B, T, C = x.shape
        return [t.reshape(B, T, self.h, self.d).flatten(2) for t in self.qkv(x).chunk(3, dim=1)]


@misconception("qkv-cut-along-time")
class MultiHeadAttention(Attention):
    """The fused projection was cut across tokens or sequences. Cut its channels: split(C, dim=-1)."""

    def project(self, x):
        q, k, v = self.qkv(x).split(self.C, dim=1)
        return q, k, v


@misconception("qkv-cut-along-time")
class MultiHeadAttention(Attention):
    """The fused projection was cut into groups of sequences, as chunk does by itself. Cut its channels: dim=-1."""

    def project(self, x):
        q, k, v = self.qkv(x).chunk(3)
        return q, k, v


@misconception("same-projection-for-qkv")
class MultiHeadAttention(Attention):
    """Queries, keys and values all come from the first third of qkv; the other two are never used."""

    def project(self, x):
        return 3 * super().project(x)[:1]


@misconception("query-used-as-key")
class MultiHeadAttention(Attention):
    """Queries are compared with queries; the keys are never used."""

    def score(self, q, k):
        return super().score(q, q)


@misconception("value-not-projected")
class MultiHeadAttention(Attention):
    """What is collected is the raw input: the values have to go through the last third of qkv first."""

    def project(self, x):
        q, k, _ = super().project(x)
        return q, k, x


@misconception("value-uses-key-projection")
class MultiHeadAttention(Attention):
    """What is collected are the keys: v has to come from the last third of qkv."""

    def attend(self, q, k, v):
        return super().attend(q, k, k)


@misconception("activation-on-projections")
class MultiHeadAttention(Attention):
    """There is a ReLU behind qkv. The projections are linear; the softmax is the only bend in this module."""

    def project(self, x):
        return self.qkv(x).relu().chunk(3, dim=-1)


@misconception("activation-on-projections")
class MultiHeadAttention(Attention):
    """There is a ReLU behind out. The projections are linear; the softmax is the only bend in this module."""

    def combine(self, y):
        return self.out(y).relu()


@misconception("activation-on-projections")
class MultiHeadAttention(Attention):
    """There is a ReLU before out. The projections are linear; the softmax is the only bend in this module."""

    def combine(self, y):
        return self.out(y.relu())


# Cutting into heads


@misconception("one-head-only")
class MultiHeadAttention(Attention):
    """This is one wide head: n_heads changes nothing. Cut the channels before the scores."""

    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        self.h = 1


@misconception("one-head-only")
class MultiHeadAttention(Attention):
    """This is one wide head, only with the scale of a small one. Cut the channels before the scores."""

    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        self.h = 1

    def divisor(self, q):
        return math.sqrt(self.d)


class Fixed(Attention):
    """Has its own idea of the number of heads."""

    heads = 0

    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        self.h, self.d = self.heads, d_model // self.heads

    def split(self, t):
        return t.view(*t.shape[:2], self.h, self.d).transpose(1, 2)


@misconception("ignores-n-head")
class MultiHeadAttention(Fixed):
    """There are always 2 heads, whatever n_heads says."""

    heads = 2


@misconception("ignores-n-head")
class MultiHeadAttention(Fixed):
    """There are always 4 heads, whatever n_heads says."""

    heads = 4


@misconception("ignores-n-head")
class MultiHeadAttention(Fixed):
    """There are always 8 heads, whatever n_heads says."""

    heads = 8


@misconception("ignores-n-head")
class MultiHeadAttention(Fixed):
    """There are always 12 heads, whatever n_heads says."""

    heads = 12


@misconception("ignores-n-head")
class MultiHeadAttention(Fixed):
    """There are always 12 heads, whatever n_heads says."""

    heads = 12

    def split(self, t):
        return t.view(*t.shape[:2], self.h, -1).transpose(1, 2)


@misconception("hard-coded-head-dim")
class MultiHeadAttention(Attention):
    """The scale is that of heads of 64 channels. Here a head has d_model // n_heads of them."""

    def divisor(self, q):
        return math.sqrt(64)


@misconception("hard-coded-head-dim")
class MultiHeadAttention(Attention):
    """The heads are cut 64 channels wide, as in GPT-2 small. Here a head has d_model // n_heads of them."""

    def split(self, t):
        return t.view(*t.shape[:2], self.h, 64).transpose(1, 2)


@misconception("head-count-is-head-dim")
class MultiHeadAttention(Attention):
    """n_heads is taken for the size of a head. It is how many there are; each has d_model // n_heads channels."""

    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        self.h, self.d = self.d, self.h


@misconception("head-dim-is-d-model")
class MultiHeadAttention(Attention):
    """The head size is taken to be the whole width. The heads share it: each has d_model // n_heads channels."""

    def split(self, t):
        return t.view(*t.shape[:2], self.h, self.C).transpose(1, 2)


@misconception("head-dim-is-d-model")
class MultiHeadAttention(Attention):
    """The head size is taken to be the whole width. The heads share it: each has d_model // n_heads channels."""

    def project(self, x):
        return [t.flatten(2) for t in self.qkv(x).view(*x.shape[:2], 3, self.h, self.C).unbind(2)]


@misconception("split-interleaved-channels")
class MultiHeadAttention(Attention):
    """The channels are dealt out like cards: head 0 gets every h-th one. For given weights it must get the first d."""

    def split(self, t):
        return t.unflatten(-1, (self.d, self.h)).permute(0, 3, 1, 2)

    def merge(self, y):
        return y.permute(0, 2, 3, 1).flatten(2)


@misconception("split-interleaved-channels")
class MultiHeadAttention(Attention):
    """The channels are dealt out like cards, then stacked in blocks: head 0 must get the first d channels, not
    every h-th."""

    def split(self, t):
        return t.unflatten(-1, (self.d, self.h)).permute(0, 3, 1, 2)


@misconception("split-view-no-transpose")
class MultiHeadAttention(Attention):
    """One reshape to (B, h, T, d) cuts the sequence, not the channels: reshape to (B, T, h, d), then
    transpose(1, 2)."""

    def split(self, t):
        return t.reshape(t.shape[0], self.h, t.shape[1], self.d)


@misconception("split-view-no-transpose")
class MultiHeadAttention(Attention):
    """Reshaping to (B, h, T, d) and back without a transpose cuts the sequence into heads, not the channels."""

    def split(self, t):
        return t.reshape(t.shape[0], self.h, t.shape[1], self.d)

    def merge(self, y):
        return y.reshape(y.shape[0], y.shape[2], self.C)


class ChannelsBeforeTokens(Attention):
    """Heads are (B, h, d, T) and so is what they collect; `hidden` is the (T, T) mask."""

    def split(self, t):
        self.hidden = ~lower(t, size=t.shape[1])
        return super().split(t).transpose(-2, -1)

    def divisor(self, q):
        return math.sqrt(self.d)

    def merge(self, y):
        return y.transpose(1, 2).reshape(y.shape[0], y.shape[3], self.C)


@misconception("split-head-dim-before-time")
class MultiHeadAttention(ChannelsBeforeTokens):
    """Your heads end in (d, T), so the scores pair channels with channels, (d, d). Heads are (B, h, T, d)."""

    def mask(self, scores):
        return scores.masked_fill(self.hidden, -INF)


@misconception("split-head-dim-before-time")
class MultiHeadAttention(ChannelsBeforeTokens):
    """Your heads end in (d, T), so the scores pair channels with channels, (d, d). Heads are (B, h, T, d)."""

    def mask(self, scores):
        return scores + torch.zeros(self.hidden.shape).masked_fill(self.hidden, -INF)


@misconception("split-head-dim-before-time")
class MultiHeadAttention(ChannelsBeforeTokens):
    """Your heads end in (d, T), so channels attend to channels and the mask hides the wrong things. Heads are
    (B, h, T, d)."""


class Untransposed(Attention):
    """Heads stay (B, T, h, d), so that the scores are (B, T, h, h)."""

    def split(self, t):
        return super().split(t).transpose(1, 2)

    def merge(self, y):
        return y.flatten(2)


@misconception("attention-across-heads")
class MultiHeadAttention(Untransposed):
    """The heads of one token attend to each other and tokens never meet: transpose(1, 2) is missing after the view."""


@misconception("attention-across-heads")
class MultiHeadAttention(Untransposed):
    """The heads of one token attend to each other and tokens never meet: transpose(1, 2) is missing after the view."""

    def mask(self, scores):
        return scores


@misconception("attention-across-heads")
class MultiHeadAttention(Untransposed):
    """The heads of one token attend to each other: transpose(1, 2) is missing in the split, though the merge has it."""

    def merge(self, y):
        return y.transpose(1, 2).reshape(y.shape[0], y.shape[1], self.C)


@misconception("attention-across-heads")
class MultiHeadAttention(Untransposed):
    """The heads of one token attend to each other: transpose(1, 2) is missing in the split, though the merge has it."""

    def mask(self, scores):
        return scores

    def merge(self, y):
        return y.transpose(1, 2).reshape(y.shape[0], y.shape[1], self.C)


@misconception("attention-across-heads")
class MultiHeadAttention(Untransposed):
    """The scores are (B, T, h, h): heads look at heads, so a (T, T) mask does not fit. transpose(1, 2) is missing."""

    def mask(self, scores):
        return scores.masked_fill(~lower(scores, size=scores.shape[1]), -INF)


@misconception("attention-across-heads")
class MultiHeadAttention(Untransposed):
    """The scores are (B, T, h, h): heads look at heads, so a (T, T) mask does not fit. transpose(1, 2) is missing."""

    def mask(self, scores):
        hidden = ~lower(scores, size=scores.shape[1])
        return scores + torch.zeros(hidden.shape).masked_fill(hidden, -INF)


# What heads have to themselves


@misconception("heads-share-keys-values")
class MultiHeadAttention(Attention):
    """All heads use the keys and values of head 0, which is multi-query attention. Here each head has its own."""

    def attend(self, q, k, v):
        return super().attend(q, k[:, :1], v[:, :1])


@misconception("heads-share-keys-values")
class MultiHeadAttention(Attention):
    """All heads use the average keys and values, which is multi-query attention. Here each head has its own."""

    def attend(self, q, k, v):
        return super().attend(q, k.mean(1, keepdim=True), v.mean(1, keepdim=True))


@misconception("heads-share-keys-values")
class MultiHeadAttention(Attention):
    """All heads collect the values of head 0. Here each head has its own values."""

    def attend(self, q, k, v):
        return super().attend(q, k, v[:, :1])


@misconception("heads-share-keys-values")
class MultiHeadAttention(Attention):
    """All heads look at the keys of head 0. Here each head has its own keys."""

    def attend(self, q, k, v):
        return super().attend(q, k[:, :1], v)


@misconception("heads-share-weights")
class MultiHeadAttention(Attention):
    """Every head does the work of head 0: in the loop over heads the slice never moves."""

    def split(self, t):
        return super().split(t)[:, :1].expand(-1, self.h, -1, -1)


@misconception("heads-share-weights")
class MultiHeadAttention(Attention):
    """Every head does the work of the last one: in the loop over heads the slice never moves."""

    def split(self, t):
        return super().split(t)[:, -1:].expand(-1, self.h, -1, -1)


class Grouped(Attention):
    """Where the heads can be paired, each pair shares the keys and values that `pair` picks."""

    def attend(self, q, k, v):
        if self.h % 2 == 0:
            k, v = self.pair(k, self.h // 2), self.pair(v, self.h // 2)
        return super().attend(q, k, v)


@misconception("kv-heads-tiled")
class MultiHeadAttention(Grouped):
    """This is grouped-query code: the first half of the key and value heads is repeated for the second half."""

    def pair(self, t, pairs):
        return t[:, :pairs].repeat(1, 2, 1, 1)


@misconception("kv-heads-tiled")
class MultiHeadAttention(Grouped):
    """This is grouped-query code: neighbouring heads share keys and values. Here each head has its own."""

    def pair(self, t, pairs):
        return t[:, :pairs].repeat_interleave(2, dim=1)


@misconception("kv-heads-tiled")
class MultiHeadAttention(Grouped):
    """This is grouped-query code: every second key and value head serves two heads. Here each head has its own."""

    def pair(self, t, pairs):
        return t[:, ::2].repeat(1, 2, 1, 1)


@misconception("kv-heads-tiled")
class MultiHeadAttention(Grouped):
    """This is grouped-query code: every second key and value head serves its neighbour too. Here each head has
    its own."""

    def pair(self, t, pairs):
        return t[:, ::2].repeat_interleave(2, dim=1)


@misconception("weights-averaged-over-heads")
class MultiHeadAttention(Attention):
    """All heads use one average pattern. Keep a softmax for each head: that is what several heads are for."""

    def weigh(self, scores):
        return super().weigh(scores).mean(dim=1, keepdim=True)


@misconception("heads-summed-in-scores")
class MultiHeadAttention(Attention):
    """The scores of all heads are averaged before the softmax, so one pattern is left. Keep the head axis."""

    def score(self, q, k):
        return super().score(q, k).mean(dim=1, keepdim=True)


# Scale


@misconception("scale-missing")
class MultiHeadAttention(Attention):
    """The scores are not divided by the square root of the head size."""

    def divisor(self, q):
        return 1


@misconception("scale-d-model")
class MultiHeadAttention(Attention):
    """The scores are divided by the root of the whole width. A dot product runs over one head: divide by sqrt(d)."""

    def divisor(self, q):
        return math.sqrt(self.C)


@misconception("scale-n-heads")
class MultiHeadAttention(Attention):
    """The scores are divided by the root of the number of heads. It has to be the size of one head."""

    def divisor(self, q):
        return math.sqrt(self.h)


@misconception("scale-no-sqrt")
class MultiHeadAttention(Attention):
    """The scores are divided by d, or by sqrt(d) twice (scaled_dot_product_attention scales by itself)."""

    def divisor(self, q):
        return self.d


@misconception("scale-multiplied")
class MultiHeadAttention(Attention):
    """The scores are multiplied by sqrt(d). Divide, so that they do not grow with the head size."""

    def divisor(self, q):
        return 1 / math.sqrt(self.d)


@misconception("scale-seq-len")
class MultiHeadAttention(Attention):
    """The scores are divided by the root of the number of tokens. The last axis of q is the head size."""

    def divisor(self, q):
        return math.sqrt(q.shape[-2])


@misconception("scale-integer-rounding")
class MultiHeadAttention(Attention):
    """The square root was cut to an integer: right for heads of 4, 16 or 64 channels only."""

    def divisor(self, q):
        return math.isqrt(self.d)


@misconception("scale-integer-rounding")
class MultiHeadAttention(Attention):
    """The square root was rounded to an integer: right for heads of 4, 16 or 64 channels only."""

    def divisor(self, q):
        return round(math.sqrt(self.d))


@misconception("scale-exponent-precedence")
class MultiHeadAttention(Attention):
    """d ** 1 / 2 is (d ** 1) / 2, half of d. The root is d ** 0.5."""

    def divisor(self, q):
        return self.d / 2


# Mask


@misconception("mask-missing")
class MultiHeadAttention(Attention):
    """No token is hidden. Is there a mask at all, and is the result of masked_fill kept?"""

    def mask(self, scores):
        return scores


@misconception("mask-leaks-next-token")
class MultiHeadAttention(Attention):
    """The mask begins one token late: every token sees the next one, the very answer it is to predict."""

    def mask(self, scores):
        return scores.masked_fill(~lower(scores, diagonal=1), -INF)


@misconception("mask-upper-not-lower")
class MultiHeadAttention(Attention):
    """The past is hidden and the future is open. Rows are queries: row t may look at columns 0 to t."""

    def mask(self, scores):
        return scores.masked_fill(lower(scores, diagonal=-1), -INF)


@misconception("mask-inverted")
class MultiHeadAttention(Attention):
    """The mask is upside down: what may be looked at got -inf. The last row has nobody left, so it is NaN."""

    def mask(self, scores):
        return scores.masked_fill(lower(scores), -INF)


@misconception("mask-inverted")
class MultiHeadAttention(Attention):
    """The mask is upside down: what may be looked at is hidden. The last row has nobody left and falls back to
    the average."""

    def mask(self, scores):
        return scores.masked_fill(lower(scores), -1e9)


@misconception("mask-inverted")
class MultiHeadAttention(Attention):
    """The mask is upside down: scaled_dot_product_attention wants True where a token may look."""

    def attend(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=~lower(q, size=q.shape[-2]))


@misconception("mask-diagonal-excluded")
class MultiHeadAttention(Attention):
    """A token may look at itself. Your first row has nobody to look at, and the NaN comes from there."""

    def mask(self, scores):
        return scores.masked_fill(~lower(scores, diagonal=-1), -INF)


@misconception("mask-diagonal-excluded")
class MultiHeadAttention(Attention):
    """A token may look at itself. Your first row has nobody to look at and falls back to the average of all tokens."""

    def mask(self, scores):
        return scores.masked_fill(~lower(scores, diagonal=-1), -1e9)


@misconception("mask-diagonal-excluded")
class MultiHeadAttention(Attention):
    """A token may look at itself. Your first row has nobody to look at, and zeros come out of it."""

    def attend(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=lower(q, diagonal=-1, size=q.shape[-2]))


@misconception("mask-fill-zero")
class MultiHeadAttention(Attention):
    """Hidden scores became 0, and exp(0) is 1: the future still gets its share. Fill with -inf before the softmax."""

    def mask(self, scores):
        return scores * lower(scores)


@misconception("mask-fill-too-small")
class MultiHeadAttention(Attention):
    """Hidden scores became -1, which is not low enough: the future still gets a share. Fill with -inf."""

    def mask(self, scores):
        return scores.masked_fill(~lower(scores), -1.0)


@misconception("mask-fill-too-small")
class MultiHeadAttention(Attention):
    """Hidden scores became -5, which is not low enough: the future still gets a share. Fill with -inf."""

    def mask(self, scores):
        return scores.masked_fill(~lower(scores), -5.0)


@misconception("mask-bool-added")
class MultiHeadAttention(Attention):
    """A mask of ones and zeros was added to the scores: visible tokens got +1 and nobody was hidden."""

    def mask(self, scores):
        return scores + lower(scores)


@misconception("mask-bool-added")
class MultiHeadAttention(Attention):
    """A mask of ones and zeros was added to the scores: the future got +1 instead of being hidden."""

    def mask(self, scores):
        return scores + ~lower(scores)


@misconception("mask-after-softmax")
class MultiHeadAttention(Attention):
    """Masked after the softmax: the future has already taken its share and the rows sum to less than 1. Mask
    the scores."""

    def attend(self, q, k, v):
        return (self.weigh(self.score(q, k)) * lower(q, size=q.shape[-2])) @ v


@misconception("mask-after-softmax")
class MultiHeadAttention(Attention):
    """-inf went into the weights, after the softmax. It belongs into the scores, before the softmax."""

    def attend(self, q, k, v):
        return self.mask(self.weigh(self.score(q, k))) @ v


@misconception("mask-nan-zero-times-inf")
class MultiHeadAttention(Attention):
    """Every number is NaN. A mask made by multiplying with -inf does that, as 0 * -inf is NaN: use masked_fill."""

    def mask(self, scores):
        return scores + ~lower(scores) * -INF


@misconception("mask-not-broadcast-over-heads")
class MultiHeadAttention(Attention):
    """The mask is (B, T, T), and its B meets the head axis of (B, h, T, T). Let it be (T, T), or (B, 1, T, T)."""

    def mask(self, scores):
        return scores.masked_fill(~lower(scores).repeat(len(scores), 1, 1), -INF)


@misconception("mask-not-broadcast-over-heads")
class MultiHeadAttention(Attention):
    """The mask is (B, T, T), and its B meets the head axis of (B, h, T, T). Let it be (T, T), or (B, 1, T, T)."""

    def attend(self, q, k, v):
        mask = lower(q, size=q.shape[-2]).repeat(len(q), 1, 1)
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@misconception("mask-not-broadcast-over-heads")
class MultiHeadAttention(Attention):
    """The mask is (B, T, T), and its B meets the head axis of (B, h, T, T). Let it be (T, T), or (B, 1, T, T)."""

    def mask(self, scores):
        return scores + torch.zeros(scores[:, 0].shape).masked_fill(~lower(scores), -INF)


@misconception("mask-promotes-dtype")
class MultiHeadAttention(Attention):
    """The mask comes from NumPy as float64 and takes the scores with it. Make it in the dtype of the scores."""

    def mask(self, scores):
        return scores + torch.from_numpy((1 - np.tri(scores.shape[-1])) * -1e9)


@misconception("mask-promotes-dtype")
class MultiHeadAttention(Attention):
    """The mask comes from NumPy as float64, which does not fit the queries. Make it bool, or in the dtype of
    the scores."""

    def attend(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=torch.from_numpy((1 - np.tri(q.shape[-2])) * -1e9))


class FixedLength(Attention):
    """Has a mask of `length` tokens, made once: filled in or added, sliced to the sequence at hand or not."""

    length, cut, added = 0, False, False

    def mask(self, scores):
        T = scores.shape[-1]
        hidden = ~lower(scores, size=self.length)
        hidden = hidden[:T, :T] if self.cut else hidden
        if self.added:
            return scores + torch.zeros(hidden.shape).masked_fill(hidden, -INF)
        return scores.masked_fill(hidden, -INF)


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask fits 7 tokens and no other number. Make it for the T of the input, or slice [:T, :T]."""

    length = 7


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask fits 7 tokens and no other number. Make it for the T of the input, or slice [:T, :T]."""

    length, added = 7, True


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask fits 8 tokens and no other number. Make it for the T of the input, or slice [:T, :T]."""

    length = 8


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask fits 8 tokens and no other number. Make it for the T of the input, or slice [:T, :T]."""

    length, added = 8, True


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask fits 16 tokens and no other number. Make it for the T of the input, or slice [:T, :T]."""

    length = 16


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask fits 16 tokens and no other number. Make it for the T of the input, or slice [:T, :T]."""

    length, added = 16, True


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask fits 32 tokens and no other number. Make it for the T of the input, or slice [:T, :T]."""

    length = 32


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask fits 32 tokens and no other number. Make it for the T of the input, or slice [:T, :T]."""

    length, added = 32, True


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask fits 1024 tokens and no other number. Make it for the T of the input, or slice [:T, :T]."""

    length = 1024


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask fits 1024 tokens and no other number. Make it for the T of the input, or slice [:T, :T]."""

    length, added = 1024, True


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask ends after 8 tokens. Make it for the T of the input."""

    length, cut = 8, True


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask ends after 8 tokens. Make it for the T of the input."""

    length, cut, added = 8, True, True


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask ends after 16 tokens. Make it for the T of the input."""

    length, cut = 16, True


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask ends after 16 tokens. Make it for the T of the input."""

    length, cut, added = 16, True, True


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask ends after 32 tokens. Make it for the T of the input."""

    length, cut = 32, True


@misconception("hard-coded-length")
class MultiHeadAttention(FixedLength):
    """The mask ends after 32 tokens. Make it for the T of the input."""

    length, cut, added = 32, True, True


@misconception("hard-coded-length")
class MultiHeadAttention(Attention):
    """The number of tokens is written into the code as 7. Take T from the shape of x."""

    def split(self, t):
        return t.view(len(t), 7, self.h, self.d).transpose(1, 2)


@misconception("hard-coded-length")
class MultiHeadAttention(Attention):
    """The number of tokens is written into the code as 7. Take T from the shape of x."""

    def project(self, x):
        return [t.flatten(2) for t in self.qkv(x).view(len(x), 7, 3, self.h, self.d).unbind(2)]


@misconception("hard-coded-length")
class MultiHeadAttention(Attention):
    """The number of tokens is written into the code as 7. Take T from the shape of x."""

    def merge(self, y):
        return y.transpose(1, 2).reshape(len(y), 7, self.C)


# Softmax and values


@misconception("softmax-missing")
class MultiHeadAttention(Attention):
    """The scores themselves are used as weights. Weights are never negative and sum to 1 in each row: softmax."""

    def mask(self, scores):
        return scores.tril()

    def weigh(self, scores):
        return scores


@misconception("softmax-missing")
class MultiHeadAttention(Attention):
    """The masked scores themselves are used as weights, -inf and all. The softmax is missing."""

    def weigh(self, scores):
        return scores


@misconception("softmax-over-queries")
class MultiHeadAttention(Attention):
    """The columns sum to 1, not the rows. Each query shares out its attention among the keys: dim=-1."""

    def weigh(self, scores):
        return scores.softmax(dim=-2)


@misconception("softmax-over-heads")
class MultiHeadAttention(Attention):
    """The softmax runs over the heads, axis 1 of (B, h, T, T). It has to run over the keys: dim=-1."""

    def weigh(self, scores):
        return scores.softmax(dim=1)


@misconception("softmax-over-heads")
class MultiHeadAttention(Attention):
    """The softmax runs over the heads, axis 1 of (B, h, T, T). It has to run over the keys: dim=-1."""

    def mask(self, scores):
        return scores.masked_fill(~lower(scores), -1e9)

    def weigh(self, scores):
        return scores.softmax(dim=1)


@misconception("softmax-over-batch")
class MultiHeadAttention(Attention):
    """The softmax runs over the sequences of the batch, axis 0. It has to run over the keys: dim=-1."""

    def weigh(self, scores):
        return scores.softmax(dim=0)


@misconception("attention-transposed-before-values")
class MultiHeadAttention(Attention):
    """The weights were transposed before meeting v: every token now collects from its future. It is weights @ v."""

    def weigh(self, scores):
        return super().weigh(scores).transpose(-2, -1)


@misconception("merges-weights-not-values")
class MultiHeadAttention(Attention):
    """The attention weights were merged, not what they collect: multiply weights @ v first."""

    def attend(self, q, k, v):
        return self.weigh(self.mask(self.score(q, k)))

    def merge(self, y):
        return y.transpose(1, 2).reshape(y.shape[0], y.shape[2], self.C)


@misconception("merges-weights-not-values")
class MultiHeadAttention(Attention):
    """The attention weights were merged, not what they collect: multiply weights @ v first."""

    def attend(self, q, k, v):
        return self.weigh(self.mask(self.score(q, k)))


# Batch


@misconception("attends-across-batch")
class MultiHeadAttention(Attention):
    """Tokens see other sequences of the batch: B and T were folded into one axis before the scores."""

    def forward(self, x):
        return super().forward(x.reshape(1, -1, self.C)).reshape(x.shape)


@misconception("batch-time-confused")
class MultiHeadAttention(Attention):
    """Sequences attend to each other, token by token: the first axis is the batch, the second holds the tokens."""

    def forward(self, x):
        return super().forward(x.transpose(0, 1)).transpose(0, 1)


@misconception("batch-time-confused")
class MultiHeadAttention(Attention):
    """The numbers are right but the first two axes have changed places: (B, T, C) in, (B, T, C) out."""

    def forward(self, x):
        return super().forward(x).transpose(0, 1)


@misconception("first-batch-item-only")
class MultiHeadAttention(Attention):
    """All sequences use the attention weights of the first one: an index [0] is left over."""

    def weigh(self, scores):
        return super().weigh(scores)[:1]


@misconception("first-batch-item-only")
class MultiHeadAttention(Attention):
    """All sequences get the answer of the first one: an index [0] is left over."""

    def combine(self, y):
        return self.out(y[:1]).expand_as(y)


# Merging and the output


@misconception("merge-without-transpose", same_as=("merge-cat-along-time",))
class MultiHeadAttention(Attention):
    """Heads were merged by reshape alone, which mixes tokens and leaks the future: first transpose(1, 2)."""

    def merge(self, y):
        return y.reshape(y.shape[0], y.shape[2], self.C)


@misconception("merge-cat-along-time", same_as=("merge-without-transpose",))
class MultiHeadAttention(Attention):
    """Heads were joined along the tokens and then reshaped. Join them along the channels, dim=-1."""

    def merge(self, y):
        return torch.cat(y.unbind(1), dim=1).reshape(y.shape[0], y.shape[2], self.C)


@misconception("merge-view-crash")
class MultiHeadAttention(Attention):
    """After a transpose the numbers of a token no longer lie side by side, so view refuses: use reshape."""

    def merge(self, y):
        return y.transpose(1, 2).view(y.shape[0], y.shape[2], self.C)


@misconception("merge-interleaved-channels")
class MultiHeadAttention(Attention):
    """The heads were shuffled into each other like cards. Join all of head 0, then all of head 1, and so on."""

    def merge(self, y):
        return torch.stack(y.unbind(1), dim=-1).flatten(2)


@misconception("merge-heads-averaged")
class MultiHeadAttention(Attention):
    """Only the width of one head is left: heads are neither averaged nor summed nor picked, they stand side by side."""

    def merge(self, y):
        return y.mean(dim=1)


@misconception("merge-heads-averaged")
class MultiHeadAttention(Attention):
    """The heads were averaged and the average copied h times. They have to stand side by side as they are."""

    def merge(self, y):
        return y.mean(dim=1).repeat(1, 1, self.h)


@misconception("output-projection-missing")
class MultiHeadAttention(Attention):
    """The merged heads are returned as they are. The last step is self.out, which lets the heads mix."""

    def combine(self, y):
        return y


@misconception("output-projection-missing")
class MultiHeadAttention(Attention):
    """The merged heads are returned as they are. A last layer `out` (C, C) is missing, which lets the heads mix."""

    def layers(self, C):
        self.qkv = nn.Linear(C, 3 * C, bias=False)

    def combine(self, y):
        return y


@misconception("output-weight-not-transposed")
class MultiHeadAttention(Attention):
    """y @ out.weight uses the matrix the wrong way round, and only its square shape hides that. Call self.out(y)."""

    def combine(self, y):
        return y @ self.out.weight


@misconception("residual-inside")
class MultiHeadAttention(Attention):
    """The input was added to the output. That is the residual path, and it belongs outside of this module."""

    def forward(self, x):
        return super().forward(x) + x


@misconception("residual-inside")
class MultiHeadAttention(Attention):
    """The input was added before the last layer. A residual path belongs outside of this module."""

    def forward(self, x):
        self.x = x
        return super().forward(x)

    def combine(self, y):
        return self.out(y + self.x)


# Right numbers, and still something wrong


@misconception("dropout-in-eval")
class MultiHeadAttention(Attention):
    """Something random is at work in eval mode. Dropout does that unless it gets training=self.training, or p=0.0."""

    def weigh(self, scores):
        return F.dropout(super().weigh(scores), p=0.5, training=True)


@misconception("state-leaks-between-calls")
class MultiHeadAttention(Attention):
    """The numbers are right the first time only: something of the first call, such as its mask, is kept for
    the next."""

    kept = None

    def mask(self, scores):
        self.kept = ~lower(scores) if self.kept is None else self.kept
        return scores.masked_fill(self.kept, -INF)


@misconception("modifies-input")
class MultiHeadAttention(Attention):
    """The answer is right but x was overwritten, and its owner may still need it. Leave out the in-place step."""

    def forward(self, x):
        return x.copy_(super().forward(x))


@misconception("modifies-input")
class MultiHeadAttention(Attention):
    """The answer is right but x was changed through x.data, and its owner may still need it. Work on a copy."""

    def forward(self, x):
        y = super().forward(x)
        x.data.mul_(2)
        return y


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but no gradient passes the attention weights (detach, tolist, no_grad): q and k
    cannot learn."""

    def weigh(self, scores):
        return super().weigh(scores).detach()


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but NumPy knows no gradients: calling numpy() on the way fails as soon as
    training begins."""

    def weigh(self, scores):
        return torch.from_numpy(super().weigh(scores).numpy())


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but the weights go through NumPy, which knows no gradients: q and k cannot learn."""

    def weigh(self, scores):
        return torch.from_numpy(super().weigh(scores).detach().numpy())


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but the heads go through NumPy, which knows no gradients: only out can learn."""

    def merge(self, y):
        return torch.from_numpy(super().merge(y).detach().numpy())


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but the answer comes from NumPy, which knows no gradients: nothing here can learn."""

    def forward(self, x):
        return torch.from_numpy(super().forward(x).detach().numpy())


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but the queries are cut off (detach or .data): the rows that make them cannot learn."""

    def score(self, q, k):
        return super().score(q.detach(), k)


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but the keys are cut off (detach or .data): the rows that make them cannot learn."""

    def score(self, q, k):
        return super().score(q, k.detach())


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but the values are cut off (detach or .data): the rows that make them cannot learn."""

    def attend(self, q, k, v):
        return super().attend(q, k, v.detach())


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but the path ends before out (detach, .data, no_grad): of all weights only those
    of out learn."""

    def merge(self, y):
        return super().merge(y).detach()


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but qkv is used through .data: its weights get no gradient and cannot learn."""

    def project(self, x):
        return F.linear(x, self.qkv.weight.data).chunk(3, dim=-1)


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but out is used through .data: its weights get no gradient and cannot learn."""

    def combine(self, y):
        return F.linear(y, self.out.weight.data)


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but the input is cut off (detach or .data): the layers below this module cannot learn."""

    def forward(self, x):
        return super().forward(x.detach())


@misconception("gradient-cut")
class MultiHeadAttention(Attention):
    """The numbers are right, but the whole path is cut off (no_grad, detach, .data): nothing here can learn."""

    def forward(self, x):
        return super().forward(x).detach()


@misconception("squeeze-drops-dims")
class MultiHeadAttention(Attention):
    """squeeze() removes every axis of size 1, so a batch of one sequence or one token loses an axis."""

    def forward(self, x):
        return super().forward(x).squeeze()


@misconception("squeeze-drops-dims")
class MultiHeadAttention(Attention):
    """squeeze(0) removes the batch axis as soon as there is only one sequence."""

    def forward(self, x):
        return super().forward(x).squeeze(0)


@misconception("squeeze-drops-dims")
class MultiHeadAttention(Attention):
    """squeeze(1) removes the token axis as soon as there is only one token."""

    def forward(self, x):
        return super().forward(x).squeeze(1)


@misconception("nondivisible-accepted")
class MultiHeadAttention(Attention):
    """Right wherever n_heads divides d_model. Where it does not, channels are lost silently: raise an error instead."""

    def check(self, C, h):
        pass

    def split(self, t):
        return super().split(t[..., : self.h * self.d])

    def merge(self, y):
        return F.pad(super().merge(y), (0, self.C - self.h * self.d))


@misconception("stress-softmax-overflow")
class MultiHeadAttention(Attention):
    """Right for small scores, but exp overflows beyond 88: take the largest score of the row off first, as
    softmax does."""

    def weigh(self, scores):
        return scores.exp() / scores.exp().sum(dim=-1, keepdim=True)


@misconception("stress-softmax-overflow")
class MultiHeadAttention(Attention):
    """Right for small scores, but exp overflows beyond 88, hidden scores included: mask and subtract the row
    maximum first."""

    def attend(self, q, k, v):
        shares = self.score(q, k).exp() * lower(q, size=q.shape[-2])
        return shares / shares.sum(dim=-1, keepdim=True) @ v


@misconception("stress-softmax-overflow")
class MultiHeadAttention(Attention):
    """Right for small scores in float32, but exp overflows beyond 88 and the float mask refuses bfloat16: masked_fill
    and softmax avoid both."""

    def attend(self, q, k, v):
        shares = self.score(q, k).exp() * torch.ones(q.shape[-2], q.shape[-2]).tril()
        return shares / shares.sum(dim=-1, keepdim=True) @ v


@misconception("stress-renormalise-underflow")
class MultiHeadAttention(Attention):
    """Right for small scores, but when a hidden score is by far the largest nothing is left to renormalise:
    mask first."""

    def attend(self, q, k, v):
        shares = self.score(q, k).softmax(dim=-1) * lower(q, size=q.shape[-2])
        return shares / shares.sum(dim=-1, keepdim=True) @ v


@misconception("stress-renormalise-underflow")
class MultiHeadAttention(Attention):
    """Right for small scores in float32, but when a hidden score is by far the largest nothing is left to
    renormalise: mask first."""

    def attend(self, q, k, v):
        shares = self.score(q, k).softmax(dim=-1) * torch.ones(q.shape[-2], q.shape[-2]).tril()
        return shares / shares.sum(dim=-1, keepdim=True) @ v


@misconception("stress-mask-dtype")
class MultiHeadAttention(Attention):
    """Right in float32, but the mask is always float32 and a module in bfloat16 fails: give it the dtype of
    the scores."""

    def mask(self, scores):
        return scores + torch.zeros(scores.shape[-2:]).masked_fill(~lower(scores), -INF)
