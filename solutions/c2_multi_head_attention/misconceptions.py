"""Wrong answers to MultiHeadAttention that are worth naming. The docstring of each is the sentence its author hears.

The module in steps: what goes wrong inside split_heads, causal_attention_weights or merge_heads is written with those
exercises and applies here by itself. The steps take weights, not layers, so that they fit a loop over heads as well.
"""

import math

import torch
import torch.nn.functional as F
from b2_split_heads import split_heads
from b3_merge_heads import merge_heads
from c1_causal_attention_weights import (
    ahead,
    causal_attention_weights,
    compared,
    masked,
    right_weights,
    scaled,
    softmax,
)
from torch import nn

from autograder.course import assembled, misconception

INF = float("inf")


@assembled(
    without=(  # an input of a step is no input of the module, and its result is not what the module returns
        "modifies-input",
        "contract-returns-list",
        "contract-heads-in-batch",
        "contract-returns-4d",
        "contract-missing-head-axis",
    )
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        check(d_model, n_heads)
        self.n_heads = n_heads
        layers(self, d_model, n_heads)

    def forward(self, x):
        return self_attention(x, self.qkv.weight, self.out.weight, self.n_heads)


def check(C, h):
    if C % h:
        raise ValueError(f"width {C} cannot be cut into {h} equal heads")


def layers(module, C, h):
    module.qkv = nn.Linear(C, 3 * C, bias=False)
    module.out = nn.Linear(C, C, bias=False)


def self_attention(x, qkv_weight, out_weight, h):
    q, k, v = projected(x, qkv_weight, h)
    return output(by_heads(q, k, v, h), out_weight)


def projected(x, weight, h):  # three times (B, T, C)
    return F.linear(x, weight).chunk(3, dim=-1)


def by_heads(q, k, v, h):  # (B, T, C)
    q, k, v = (split_heads(t, h) for t in (q, k, v))
    return merge_heads(attended(q, k, v))


def attended(q, k, v):  # (B, h, T, d)
    return collected(causal_attention_weights(q, k), v)


def collected(weights, v):
    return weights @ v


def output(y, weight):
    return F.linear(y, weight)


right_module, right_attention, right_projection = MultiHeadAttention, self_attention, projected
right_heads, right_attended, right_split, right_merge = by_heads, attended, split_heads, merge_heads


def cut(t, h):  # (B, T, h, d)
    return t.unflatten(-1, (h, -1))


# What the constructor promised


@misconception("contract-bias-present")
def layers(module, C, h):
    """With zeros for the biases the attention is right, but nn.Linear adds a bias by default: say bias=False, twice."""
    module.qkv, module.out = nn.Linear(C, 3 * C), nn.Linear(C, C)


@misconception("contract-bias-present")
def layers(module, C, h):
    """With zeros for the bias the attention is right, but `out` has one: nn.Linear adds it unless told bias=False."""
    module.qkv, module.out = nn.Linear(C, 3 * C, bias=False), nn.Linear(C, C)


@misconception("contract-bias-present")
def layers(module, C, h):
    """With zeros for the bias the attention is right, but `qkv` has one: nn.Linear adds it unless told bias=False."""
    module.qkv, module.out = nn.Linear(C, 3 * C), nn.Linear(C, C, bias=False)


def separate(module, C, *names):
    for name in names:
        setattr(module, name, nn.Linear(C, C, bias=False))


@misconception("contract-separate-qkv-linears")
def layers(module, C, h):
    """Three layers for q, k and v compute the same, but weights can be handed over only if one fused layer is
    called qkv."""
    separate(module, C, "q", "k", "v", "out")


@misconception("contract-separate-qkv-linears")
def layers(module, C, h):
    """Layers of its own for every head are a fine reading of the idea; here all of them are rows of one layer `qkv`."""
    module.heads = nn.ModuleList(nn.Linear(C, 3 * (C // h), bias=False) for _ in range(h))
    module.out = nn.Linear(C, C, bias=False)


@misconception("contract-heads-not-registered")
def layers(module, C, h):
    """A plain list hides its layers: parameters() does not see them, so nothing trains or loads them. One
    `qkv` layer does."""
    module.heads = [nn.Linear(C, 3 * (C // h), bias=False) for _ in range(h)]
    module.out = nn.Linear(C, C, bias=False)


@misconception("contract-other-names")
def layers(module, C, h):
    """Both matrices are there, but weights are handed over by name: the first layer is called `qkv`, the last
    one `out`."""
    module.c_attn, module.c_proj = nn.Linear(C, 3 * C, bias=False), nn.Linear(C, C, bias=False)


@misconception("contract-other-names")
def layers(module, C, h):
    """`qkv` is as agreed; the last layer has another name than `out`, so nobody can hand its weights over."""
    module.qkv, module.proj = nn.Linear(C, 3 * C, bias=False), nn.Linear(C, C, bias=False)


@misconception("contract-other-names")
def layers(module, C, h):
    """`out` is as agreed; the fused layer has another name than `qkv`, so nobody can hand its weights over."""
    module.fused, module.out = nn.Linear(C, 3 * C, bias=False), nn.Linear(C, C, bias=False)


@misconception("contract-wraps-nn-multihead")
def layers(module, C, h):
    """torch's own module does the work here. Write it yourself this time, with `qkv` and `out`."""
    module.attention = nn.MultiheadAttention(C, h, bias=False, batch_first=True)


@misconception("contract-projection-per-slice")
def layers(module, C, h):
    """Your layers read d channels: the input was cut first. Every head may read all C channels; project, then split."""
    separate(module, C // h, "q", "k", "v")
    module.out = nn.Linear(C, C, bias=False)


@misconception("contract-returns-tuple")
def self_attention(x, qkv_weight, out_weight, h):
    """Several values come back. Return the output alone: the next layer wants one tensor of the shape of x."""
    return right_attention(x, qkv_weight, out_weight, h), None


@misconception("contract-returns-nothing")
def self_attention(x, qkv_weight, out_weight, h):
    """forward computes and then says nothing: the last line needs `return`."""
    right_attention(x, qkv_weight, out_weight, h)


# Reading the fused projection


@misconception("qkv-order-permuted")
def projected(x, weight, h):
    """The thirds of qkv are taken as k, v, q. Here the order is q, k, v."""
    k, v, q = right_projection(x, weight, h)
    return q, k, v


@misconception("qkv-order-permuted")
def projected(x, weight, h):
    """The thirds of qkv are taken as v, q, k. Here the order is q, k, v."""
    v, q, k = right_projection(x, weight, h)
    return q, k, v


@misconception("qkv-order-permuted")
def projected(x, weight, h):
    """The thirds of qkv are taken as v, k, q. Here the order is q, k, v."""
    v, k, q = right_projection(x, weight, h)
    return q, k, v


@misconception("qkv-order-permuted")
def projected(x, weight, h):
    """The thirds of qkv are taken as q, v, k. Here the order is q, k, v."""
    q, v, k = right_projection(x, weight, h)
    return q, k, v


@misconception("qkv-interleaved-per-head")
def projected(x, weight, h):
    """You read q, k and v of head 0, then of head 1, as some checkpoints store them. Here all queries come first."""
    thirds = F.linear(x, weight).unflatten(-1, (h, 3, -1)).unbind(3)
    return [t.flatten(2) for t in thirds]


@misconception("qkv-interleaved-innermost")
def projected(x, weight, h):
    """You read q, k, v anew for each channel, every third output. Here all queries come first, then keys, then
    values."""
    return F.linear(x, weight).unflatten(-1, (-1, 3)).unbind(3)


@misconception("qkv-cut-along-time")
def projected(x, weight, h):
    """The fused projection was cut into three groups of tokens. Cut its channels: dim=-1."""
    return [t.reshape(x.shape) for t in F.linear(x, weight).chunk(3, dim=1)]


@misconception("qkv-cut-along-time")
def projected(x, weight, h):
    """The fused projection was cut into three groups of tokens. Cut its channels: dim=-1."""
    B, T, C = x.shape
    q, k, v = F.linear(x, weight).chunk(3, dim=1)
    return [t.view(B, T, h, C // h).flatten(2) for t in (q, k, v)]


@misconception("qkv-cut-along-time", proves="nothing")
def projected(x, weight, h):
    """Three parts were wanted and another number came. If it is the fused projection that is taken apart here: cut its
    channels, split(C, dim=-1)."""
    q, k, v = F.linear(x, weight).split(x.size(-1), dim=1)
    return q, k, v


@misconception("qkv-cut-along-time", proves="nothing")
def projected(x, weight, h):
    """Three parts were wanted and as many came as there are sequences. If it is the fused projection that is taken
    apart here: cut its channels, chunk(3, dim=-1)."""
    q, k, v = F.linear(x, weight).chunk(3)
    return q, k, v


@misconception("same-projection-for-qkv")
def projected(x, weight, h):
    """Queries, keys and values all come from the first third of qkv; the other two are never used."""
    q, _, _ = right_projection(x, weight, h)
    return q, q, q


@misconception("same-projection-for-qkv")
def projected(x, weight, h):
    """Queries, keys and values all come from the last third of qkv; the other two are never used."""
    _, _, v = right_projection(x, weight, h)
    return v, v, v


@misconception("value-not-projected")
def projected(x, weight, h):
    """What is collected is the raw input: the values have to go through the last third of qkv first."""
    q, k, _ = right_projection(x, weight, h)
    return q, k, x


@misconception("value-uses-key-projection")
def projected(x, weight, h):
    """What is collected are the keys: v has to come from the last third of qkv."""
    q, k, _ = right_projection(x, weight, h)
    return q, k, k


@misconception("activation-on-projections")
def projected(x, weight, h):
    """There is a ReLU behind qkv. The projections are linear; the softmax is the only bend in this module."""
    return F.linear(x, weight).relu().chunk(3, dim=-1)


@misconception("activation-on-projections", alone=True)
def output(y, weight):
    """There is a ReLU behind out. The projections are linear; the softmax is the only bend in this module."""
    return F.linear(y, weight).relu()


@misconception("activation-on-projections", alone=True)
def output(y, weight):
    """There is a GELU behind out. The projections are linear; the softmax is the only bend in this module."""
    return F.gelu(F.linear(y, weight))


@misconception("activation-on-projections", alone=True)
def output(y, weight):
    """There is a ReLU before out. The projections are linear; the softmax is the only bend in this module."""
    return F.linear(y.relu(), weight)


# Cutting into heads


@misconception("one-head-only")
def by_heads(q, k, v, h):
    """This is one wide head: n_heads changes nothing. Cut the channels before the scores."""
    return right_heads(q, k, v, 1)


@misconception("one-head-only")
def by_heads(q, k, v, h):
    """This is one wide head, only with the scale of a small one. Cut the channels before the scores."""
    return right_heads(q * math.sqrt(h), k, v, 1)


@misconception("head-count-is-head-dim", alone=True)
def by_heads(q, k, v, h):
    """You cut with n_heads as the size of a head. It says how many heads there are; the size of one, by which you scale
    rightly, is C // n_heads."""
    d = q.size(-1) // h
    return right_heads(q * math.sqrt(h / d), k, v, d)


def fixed(q, k, v, h):
    d = q.size(-1) // h
    q, k, v = (t.view(*t.shape[:2], h, d).transpose(1, 2) for t in (q, k, v))
    return merge_heads(attended(q, k, v))


@misconception("ignores-n-head")
def by_heads(q, k, v, h):
    """There are always 2 heads, whatever n_heads says."""
    return fixed(q, k, v, 2)


@misconception("ignores-n-head")
def by_heads(q, k, v, h):
    """There are always 4 heads, whatever n_heads says."""
    return fixed(q, k, v, 4)


@misconception("ignores-n-head")
def by_heads(q, k, v, h):
    """There are always 8 heads, whatever n_heads says."""
    return fixed(q, k, v, 8)


@misconception("ignores-n-head")
def by_heads(q, k, v, h):
    """There are always 12 heads, whatever n_heads says."""
    return fixed(q, k, v, 12)


@misconception("ignores-n-head")
def by_heads(q, k, v, h):
    """There are always 12 heads, whatever n_heads says."""
    q, k, v = (t.view(*t.shape[:2], 12, -1).transpose(1, 2) for t in (q, k, v))
    return merge_heads(attended(q, k, v))


@misconception("hard-coded-head-dim", proves="name")
def split_heads(x, n_heads):
    """The heads are cut 64 channels wide, as in GPT-2 small. Here a head has d_model // n_heads of them."""
    return x.view(*x.shape[:2], n_heads, 64).transpose(1, 2)


@misconception("hard-coded-head-dim", proves="name")
def split_heads(x, n_heads):
    """The width is cut into pieces of 64 channels, as in GPT-2 small. Here a head has d_model // n_heads of them."""
    B, T, C = x.shape
    return x.view(B, T, C // 64, 64).transpose(1, 2)


@misconception("hard-coded-head-dim")
def split_heads(x, n_heads):
    """The heads are always 8 channels wide, as in the example. A head has d_model // n_heads of them."""
    B, T, C = x.shape
    return x.view(B, T, C // 8, 8).transpose(1, 2)


@misconception("head-dim-is-d-model", alone=True)
def split_heads(x, n_heads):
    """The head size is taken to be the whole width. The heads share it: each has d_model // n_heads channels."""
    return x.view(*x.shape[:2], n_heads, x.size(-1)).transpose(1, 2)


@misconception("head-dim-is-d-model", alone=True)
def projected(x, weight, h):
    """The head size is taken to be the whole width. The heads share it: each has d_model // n_heads channels."""
    fused = F.linear(x, weight).view(*x.shape[:2], 3, h, x.size(-1))
    return [t.flatten(2) for t in fused.unbind(2)]


@misconception("split-interleaved-channels")
def by_heads(q, k, v, h):
    """The channels are dealt out like cards: head 0 gets every h-th one. For given weights it must get the first d."""
    q, k, v = (t.unflatten(-1, (-1, h)).permute(0, 3, 1, 2) for t in (q, k, v))
    return attended(q, k, v).permute(0, 2, 3, 1).flatten(2)


@misconception("split-view-no-transpose")
def by_heads(q, k, v, h):
    """Reshaping to (B, h, T, d) and back without a transpose cuts the sequence into heads, not the channels."""
    B, T, C = q.shape
    q, k, v = (t.reshape(B, h, T, -1) for t in (q, k, v))
    return attended(q, k, v).reshape(B, T, C)


def channels_before_tokens(q, k, v, h, mask):
    """Heads are (B, h, d, T) and so is what they collect; `mask` gets the scores and the (T, T) future."""
    q, k, v = (cut(t, h).permute(0, 2, 3, 1) for t in (q, k, v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-2))
    y = mask(scores, ahead(torch.empty(q.size(-1), q.size(-1)))).softmax(-1) @ v
    return y.transpose(1, 2).reshape(q.size(0), q.size(-1), -1)


@misconception("split-head-dim-before-time", alone=True)
def by_heads(q, k, v, h):
    """Your heads end in (d, T), so the scores pair channels with channels, (d, d). Heads are (B, h, T, d)."""
    return channels_before_tokens(q, k, v, h, lambda scores, future: scores.masked_fill(future, -INF))


@misconception("split-head-dim-before-time", alone=True)
def by_heads(q, k, v, h):
    """Your heads end in (d, T), so the scores pair channels with channels, (d, d). Heads are (B, h, T, d)."""
    return channels_before_tokens(q, k, v, h, lambda scores, future: scores + minus_infinity(future))


@misconception("split-head-dim-before-time", alone=True)
def by_heads(q, k, v, h):
    """Your heads end in (d, T), so channels attend to channels and the mask hides the wrong things. Heads are
    (B, h, T, d)."""
    return channels_before_tokens(q, k, v, h, lambda scores, future: masked(scores))


def minus_infinity(future):
    return torch.zeros(future.shape).masked_fill(future, -INF)


def untransposed(q, k, v, h, mask):
    """Heads stay (B, T, h, d), so that the scores are (B, T, h, h); so is what they collect, (B, T, h, d)."""
    q, k, v = (cut(t, h) for t in (q, k, v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    return mask(scores, ahead(torch.empty(q.size(1), q.size(1)))).softmax(-1) @ v


def swapped(y):
    return y.transpose(1, 2).reshape(*y.shape[:2], -1)


@misconception("attention-across-heads")
def by_heads(q, k, v, h):
    """The heads of one token attend to each other and tokens never meet: transpose(1, 2) is missing after the view."""
    return untransposed(q, k, v, h, lambda scores, future: masked(scores)).flatten(2)


@misconception("attention-across-heads", alone=True)
def by_heads(q, k, v, h):
    """The heads of one token attend to each other and tokens never meet: transpose(1, 2) is missing after the view."""
    return untransposed(q, k, v, h, lambda scores, future: scores).flatten(2)


@misconception("attention-across-heads")
def by_heads(q, k, v, h):
    """The heads of one token attend to each other: transpose(1, 2) is missing in the split, though the merge has it."""
    return swapped(untransposed(q, k, v, h, lambda scores, future: masked(scores)))


@misconception("attention-across-heads", alone=True)
def by_heads(q, k, v, h):
    """The heads of one token attend to each other: transpose(1, 2) is missing in the split, though the merge has it."""
    return swapped(untransposed(q, k, v, h, lambda scores, future: scores))


@misconception("attention-across-heads")
def by_heads(q, k, v, h):
    """The scores are (B, T, h, h): heads look at heads, so a (T, T) mask does not fit. transpose(1, 2) is missing."""
    return swapped(untransposed(q, k, v, h, lambda scores, future: scores.masked_fill(future, -INF)))


@misconception("attention-across-heads")
def by_heads(q, k, v, h):
    """The scores are (B, T, h, h): heads look at heads, so a (T, T) mask does not fit. transpose(1, 2) is missing."""
    return swapped(untransposed(q, k, v, h, lambda scores, future: scores + minus_infinity(future)))


@misconception("attention-across-heads", alone=True)
def by_heads(q, k, v, h):
    """The scores are (B, T, h, h): heads look at heads, so a (T, T) mask does not fit. transpose(1, 2) is missing."""
    return untransposed(q, k, v, h, lambda scores, future: scores.masked_fill(future, -INF)).flatten(2)


# What heads have to themselves


@misconception("heads-share-keys-values")
def attended(q, k, v):
    """All heads use the keys and values of head 0, which is multi-query attention. Here each head has its own."""
    return right_attended(q, k[:, :1], v[:, :1])


@misconception("heads-share-keys-values", alone=True)
def attended(q, k, v):
    """All heads use the average keys and values, which is multi-query attention. Here each head has its own."""
    return right_attended(q, k.mean(1, keepdim=True), v.mean(1, keepdim=True))


@misconception("heads-share-keys-values", alone=True)
def collected(weights, v):
    """All heads collect the values of head 0. Here each head has its own values."""
    return weights @ v[:, :1]


@misconception("heads-share-weights")
def split_heads(x, n_heads):
    """Every head does the work of head 0: in the loop over heads the slice never moves."""
    return right_split(x, n_heads)[:, :1].expand(-1, n_heads, -1, -1)


@misconception("heads-share-weights", alone=True)
def split_heads(x, n_heads):
    """Every head does the work of the last one: in the loop over heads the slice never moves."""
    return right_split(x, n_heads)[:, -1:].expand(-1, n_heads, -1, -1)


def grouped(q, k, v, pair):
    """Where the heads can be paired, each pair shares the keys and values that `pair` picks."""
    if q.size(1) % 2 == 0:
        k, v = pair(k, q.size(1) // 2), pair(v, q.size(1) // 2)
    return right_attended(q, k, v)


@misconception("kv-heads-tiled", alone=True)
def attended(q, k, v):
    """This is grouped-query code: the first half of the key and value heads is repeated for the second half."""
    return grouped(q, k, v, lambda t, n: t[:, :n].repeat(1, 2, 1, 1))


@misconception("kv-heads-tiled", alone=True)
def attended(q, k, v):
    """This is grouped-query code: neighbouring heads share keys and values. Here each head has its own."""
    return grouped(q, k, v, lambda t, n: t[:, :n].repeat_interleave(2, dim=1))


@misconception("kv-heads-tiled", alone=True)
def attended(q, k, v):
    """This is grouped-query code: every second key and value head serves two heads. Here each head has its own."""
    return grouped(q, k, v, lambda t, n: t[:, ::2].repeat(1, 2, 1, 1))


@misconception("kv-heads-tiled", alone=True)
def attended(q, k, v):
    """This is grouped-query code: every second key and value head serves its neighbour too. Here each head has
    its own."""
    return grouped(q, k, v, lambda t, n: t[:, ::2].repeat_interleave(2, dim=1))


# Scale and mask where they need more than the scores


@misconception("hard-coded-length")
def split_heads(x, n_heads):
    """The number of tokens is written into the code as 7. Take T from the shape of x."""
    return x.view(len(x), 7, n_heads, -1).transpose(1, 2)


@misconception("hard-coded-length")
def projected(x, weight, h):
    """The number of tokens is written into the code as 7. Take T from the shape of x."""
    fused = F.linear(x, weight).view(len(x), 7, 3, h, x.size(-1) // h)
    return [t.flatten(2) for t in fused.unbind(2)]


@misconception("hard-coded-length")
def merge_heads(y):
    """The number of tokens is written into the code as 7. Take T from the shape of x."""
    return y.transpose(1, 2).reshape(len(y), 7, -1)


@misconception("mask-not-broadcast-over-heads")
def attended(q, k, v):
    """The mask is (B, T, T), and its B meets the head axis of (B, h, T, T). Let it be (T, T), or (B, 1, T, T)."""
    visible = ~ahead(torch.empty(q.size(-2), q.size(-2))).repeat(len(q), 1, 1)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=visible)


@misconception("mask-promotes-dtype", proves="family")
def attended(q, k, v):
    """Something is float64 and does not fit the queries, as a mask from NumPy is. Make it bool, or in the dtype of the
    scores."""
    T = q.size(-2)
    future = torch.full((T, T), -1e9, dtype=torch.float64).triu(1)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=future)


@misconception("attention-transposed-before-values")
def causal_attention_weights(q, k):
    """The weights were transposed before meeting v: every token now collects from its future. It is weights @ v."""
    return right_weights(q, k).transpose(-2, -1)


@misconception("merges-weights-not-values")
def attended(q, k, v):
    """The attention weights were merged, not what they collect: multiply weights @ v first."""
    weights = causal_attention_weights(q, k)
    return weights


@misconception("merges-weights-not-values")
def by_heads(q, k, v, h):
    """The attention weights were merged, not what they collect: multiply weights @ v first."""
    B, T, C = v.shape
    weights = causal_attention_weights(split_heads(q, h), split_heads(k, h))
    return weights.transpose(1, 2).reshape(B, T, C)


# Batch


@misconception("attends-across-batch")
def self_attention(x, qkv_weight, out_weight, h):
    """Tokens see other sequences of the batch: B and T were folded into one axis before the scores."""
    folded = x.reshape(1, -1, x.size(-1))
    return right_attention(folded, qkv_weight, out_weight, h).reshape(x.shape)


@misconception("batch-time-confused")
def self_attention(x, qkv_weight, out_weight, h):
    """Sequences attend to each other, token by token: the first axis is the batch, the second holds the tokens."""
    return right_attention(x.transpose(0, 1), qkv_weight, out_weight, h).transpose(0, 1)


@misconception("batch-time-confused", alone=True)
def self_attention(x, qkv_weight, out_weight, h):
    """The numbers are right but the first two axes have changed places: (B, T, C) in, (B, T, C) out."""
    return right_attention(x, qkv_weight, out_weight, h).transpose(0, 1)


@misconception("first-batch-item-only", alone=True)
def output(y, weight):
    """All sequences get the answer of the first one: an index [0] or a slice [:1] is left over."""
    return F.linear(y[:1], weight).expand_as(y)


@misconception("first-batch-item-only", alone=True)
def self_attention(x, qkv_weight, out_weight, h):
    """Only the answer of the first sequence comes back: an index [0] is left over."""
    return right_attention(x, qkv_weight, out_weight, h)[0]


@misconception("batch-time-confused", alone=True)
def self_attention(x, qkv_weight, out_weight, h):
    """x was read as (T, B, C), and its tokens were regrouped into other sequences. The batch comes first."""
    T, B, C = x.shape
    return right_attention(x.reshape(B, T, C), qkv_weight, out_weight, h).reshape(x.shape)


# Merging and the output


@misconception("merge-without-transpose", same_as=("merge-cat-along-time",))
def merge_heads(y):
    """The heads are joined before they stand beside the channels, so rows mix tokens and the future leaks: first
    transpose(1, 2), or join along dim=-1."""
    return y.reshape(y.shape[0], y.shape[2], -1)


@misconception("merge-cat-along-time", same_as=("merge-without-transpose",))
def merge_heads(y):
    """The heads are joined before they stand beside the channels, so rows mix tokens and the future leaks: first
    transpose(1, 2), or join along dim=-1."""
    return torch.cat(y.unbind(1), dim=1).reshape(y.shape[0], y.shape[2], -1)


@misconception("merge-heads-averaged")
def merge_heads(y):
    """Only the width of one head is left: heads are neither averaged nor summed nor picked, they stand side by side."""
    return y.mean(dim=1)


@misconception("output-projection-missing")
def output(y, weight):
    """The merged heads are returned as they are. The last step is self.out, which lets the heads mix."""
    return y


@misconception("output-projection-missing")
class MultiHeadAttention(right_module):
    """The merged heads are returned as they are. A last layer `out` (C, C) is missing, which lets the heads mix."""

    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        del self.out

    def forward(self, x):
        return by_heads(*projected(x, self.qkv.weight, self.n_heads), self.n_heads)


@misconception("output-weight-not-transposed")
def output(y, weight):
    """y @ out.weight uses the matrix the wrong way round, and only its square shape hides that. Call self.out(y)."""
    return y @ weight


@misconception("residual-inside")
def self_attention(x, qkv_weight, out_weight, h):
    """The input was added to the output. That is the residual path, and it belongs outside of this module."""
    return right_attention(x, qkv_weight, out_weight, h) + x


@misconception("residual-inside", alone=True)
def self_attention(x, qkv_weight, out_weight, h):
    """The input was added before the last layer. A residual path belongs outside of this module."""
    q, k, v = projected(x, qkv_weight, h)
    return output(by_heads(q, k, v, h) + x, out_weight)


# Right numbers, and still something wrong


@misconception("dropout-in-eval", alone=True, proves="family")
def causal_attention_weights(q, k):
    """Something random is at work in eval mode. Dropout does that unless it gets training=self.training, or p=0.0."""
    return F.dropout(right_weights(q, k), p=0.5, training=True)


@misconception("state-leaks-between-calls")
class MultiHeadAttention(right_module):
    """The numbers are right the first time only: something of the first call, such as its mask, is kept for
    the next."""

    kept = None

    def forward(self, x):
        q, k, v = (split_heads(t, self.n_heads) for t in projected(x, self.qkv.weight, self.n_heads))
        scores = scaled(compared(q, k), q)
        self.kept = ahead(scores) if self.kept is None else self.kept
        weights = softmax(scores.masked_fill(self.kept, -INF))
        return output(merge_heads(weights @ v), self.out.weight)


@misconception("modifies-input")
def self_attention(x, qkv_weight, out_weight, h):
    """The answer is right but x was overwritten, and its owner may still need it. Leave out the in-place step."""
    return x.copy_(right_attention(x, qkv_weight, out_weight, h))


@misconception("modifies-input")
def self_attention(x, qkv_weight, out_weight, h):
    """The answer is right but x was changed through x.data, and its owner may still need it. Work on a copy."""
    y = right_attention(x, qkv_weight, out_weight, h)
    x.data.mul_(2)
    return y


@misconception("gradient-cut")
def causal_attention_weights(q, k):
    """The numbers are right, but NumPy knows no gradients: calling numpy() on the way fails as soon as
    training begins."""
    return torch.from_numpy(right_weights(q, k).numpy())


@misconception("gradient-cut")
def merge_heads(y):
    """The numbers are right, but the path ends before out, as it does in NumPy or behind detach: of all weights only
    those of out learn."""
    return torch.from_numpy(right_merge(y).detach().numpy())


@misconception("gradient-cut")
def self_attention(x, qkv_weight, out_weight, h):
    """The numbers are right, but the answer has no way back, as from NumPy or behind detach: nothing here can learn."""
    return torch.from_numpy(right_attention(x, qkv_weight, out_weight, h).detach().numpy())


@misconception("gradient-cut")
def causal_attention_weights(q, k):
    """The numbers are right, but the weights have no way back, as from NumPy or behind detach: q and k cannot learn."""
    return torch.from_numpy(right_weights(q, k).detach().numpy())


@misconception("gradient-cut")
def collected(weights, v):
    """The numbers are right, but the values are cut off (detach or .data): the rows that make them cannot learn."""
    return weights @ v.detach()


@misconception("gradient-cut")
def merge_heads(y):
    """The numbers are right, but the path ends before out (detach, .data, no_grad): of all weights only those
    of out learn."""
    return right_merge(y).detach()


@misconception("gradient-cut")
def projected(x, weight, h):
    """The numbers are right, but qkv is used through .data: its weights get no gradient and cannot learn."""
    return F.linear(x, weight.detach()).chunk(3, dim=-1)


@misconception("gradient-cut")
def output(y, weight):
    """The numbers are right, but out is used through .data: its weights get no gradient and cannot learn."""
    return F.linear(y, weight.detach())


@misconception("gradient-cut")
def self_attention(x, qkv_weight, out_weight, h):
    """The numbers are right, but the input is cut off (detach or .data): the layers below this module cannot learn."""
    return right_attention(x.detach(), qkv_weight, out_weight, h)


@misconception("gradient-cut")
def self_attention(x, qkv_weight, out_weight, h):
    """The numbers are right, but the whole path is cut off (no_grad, detach, .data): nothing here can learn."""
    return right_attention(x, qkv_weight, out_weight, h).detach()


@misconception("squeeze-drops-dims")
def self_attention(x, qkv_weight, out_weight, h):
    """A batch of one sequence or one token loses an axis, as squeeze() takes away every axis of size 1."""
    return right_attention(x, qkv_weight, out_weight, h).squeeze()


@misconception("squeeze-drops-dims")
def self_attention(x, qkv_weight, out_weight, h):
    """As soon as there is only one sequence the batch axis is gone, as squeeze(0) or an index [0] does it."""
    return right_attention(x, qkv_weight, out_weight, h).squeeze(0)


@misconception("squeeze-drops-dims")
def self_attention(x, qkv_weight, out_weight, h):
    """As soon as there is only one token its axis is gone, as squeeze(1) does it."""
    return right_attention(x, qkv_weight, out_weight, h).squeeze(1)


@misconception("nondivisible-accepted")
class MultiHeadAttention(right_module):
    """Right wherever n_heads divides d_model. Where it does not, an answer comes back all the same: raise an error."""

    def __init__(self, d_model, n_heads):
        super().__init__(d_model, 1)
        self.n_heads = n_heads

    def forward(self, x):
        kept = x.size(-1) // self.n_heads * self.n_heads
        q, k, v = (t[..., :kept] for t in projected(x, self.qkv.weight, self.n_heads))
        return output(F.pad(by_heads(q, k, v, self.n_heads), (0, x.size(-1) - kept)), self.out.weight)


@misconception("stress-softmax-overflow")
def attended(q, k, v):
    """Right for small scores in float32, but exp overflows beyond 88 and the float mask refuses bfloat16: masked_fill
    and softmax avoid both."""
    T = q.size(-2)
    rest = scaled(compared(q, k), q).exp() * torch.ones(T, T).tril()
    return rest / rest.sum(dim=-1, keepdim=True) @ v


@misconception("stress-renormalise-underflow")
def attended(q, k, v):
    """Right for small scores in float32, but hidden scores still take part: when one is by far the largest nothing is
    left to share out. Hide them first, before any maximum and exp."""
    T = q.size(-2)
    rest = scaled(compared(q, k), q).softmax(-1) * torch.ones(T, T).tril()
    return rest / rest.sum(dim=-1, keepdim=True) @ v


@misconception("stress-mask-dtype", proves="family")
def masked(scores):
    """Right in float32, but something on the way is always float32, and a module in bfloat16 fails. A mask made without
    a dtype is, and what went through float(): give both the dtype of the scores."""
    return scores + minus_infinity(ahead(scores))
