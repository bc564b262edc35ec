"""Wrong answers to gqa that are worth naming. The docstring of each is the sentence its author hears.

What goes wrong inside split_heads, causal_attention_weights or merge_heads is written with those exercises and applies
here by itself. Only what belongs to sharing, and to weights that come one by one, is added.
"""

import math

import torch
from b2_split_heads import split_heads
from b3_merge_heads import merge_heads
from c1_causal_attention_weights import INF, ahead, causal_attention_weights, right_softmax

from autograder.course import assembled, misconception


@assembled(
    without=(  # an input of a step is no input of gqa, and its result is not what gqa returns
        "modifies-input",
        "contract-returns-list",
        "contract-heads-in-batch",
        "contract-returns-4d",
        "contract-missing-head-axis",
    )
)
def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    even_groups(n_heads, n_kv_heads)
    q, k, v = projected(x, wq, wk, wv)
    return output(merge_heads(grouped(q, k, v, n_heads, n_kv_heads)), wo)


def even_groups(h, n_kv):
    if h % n_kv:
        raise ValueError(f"{h} query heads cannot share {n_kv} heads of keys and values evenly")


def projected(x, wq, wk, wv):
    return x @ wq.T, x @ wk.T, x @ wv.T


def grouped(q, k, v, h, n_kv):  # (B, h, T, d)
    q, k, v = queries(q, h), kept(k, n_kv), kept(v, n_kv)
    return attended(q, shared_keys(k, h), shared_values(v, h))


def queries(t, h):  # (B, T, C) -> (B, h, T, d)
    return split_heads(t, h)


def kept(t, n_kv):  # (B, T, n_kv * d) -> (B, n_kv, T, d)
    return split_heads(t, n_kv)


def shared(t, h):  # (B, n_kv, T, d) -> (B, h, T, d)
    return t.repeat_interleave(h // t.size(1), dim=1)


def shared_keys(k, h):
    return shared(k, h)


def shared_values(v, h):
    return shared(v, h)


def attended(q, k, v):
    weights = causal_attention_weights(q, k)
    return weights @ v


def output(y, weight):
    return y @ weight.T


right_gqa, right_projection, right_grouping = gqa, projected, grouped
right_queries, right_sharing = queries, shared


def tiled(t, h):
    return t.repeat(1, h // t.size(1), 1, 1)


def straight(t, heads):
    return t.reshape(t.size(0), heads, t.size(1), -1)


def by_sizes(x, wq, wk, wv, wo, h, n_kv, share):
    """gqa with a mask of (T, T) and a result of (B, T, C), whatever `share` makes of the keys and values."""
    B, T, C = x.shape
    even_groups(h, n_kv)
    q = split_heads(x @ wq.T, h)
    k, v = (share(split_heads(x @ w.T, n_kv)) for w in (wk, wv))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // h)
    future = torch.ones(T, T, dtype=torch.bool).triu(1)
    scores = scores.masked_fill(future, -INF)
    weights = scores.softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ wo.T


def head_by_head(x, wq, wk, wv, wo, h, n_kv, whose):
    """gqa in a loop over the query heads; `whose` says which head of keys and values head i uses."""
    even_groups(h, n_kv)
    d = x.shape[-1] // h
    q, k, v = ((x @ w.T).unflatten(-1, (-1, d)) for w in (wq, wk, wv))
    heads = []
    for i in range(h):
        keys, values = one_head(k, whose(i)), one_head(v, whose(i))
        scores = q[:, :, i] @ keys.transpose(-2, -1) / math.sqrt(d)
        heads.append(scores.masked_fill(ahead(scores), -INF).softmax(dim=-1) @ values)
    return torch.cat(heads, dim=-1) @ wo.T


def one_head(t, i):
    return t[:, :, i]


# Who shares with whom


@misconception("kv-heads-tiled")
def shared(t, h):
    """The heads of keys were dealt out in turn (0, 1, 2, 0, 1, 2). Neighbours share: 0, 0, 1, 1, 2, 2, which is
    repeat_interleave, not repeat."""
    return tiled(t, h)


@misconception("kv-heads-tiled", alone=True)
def shared_keys(k, h):
    """The values are shared by neighbours, but the keys were dealt out in turn (0, 1, 2, 0, 1, 2): both are 0, 0, 1,
    1, 2, 2."""
    return tiled(k, h)


@misconception("kv-heads-tiled", alone=True)
def shared_values(v, h):
    """The keys are shared by neighbours, but the values were dealt out in turn (0, 1, 2, 0, 1, 2): both are 0, 0, 1,
    1, 2, 2."""
    return tiled(v, h)


@misconception("gqa-channels-repeated")
def grouped(q, k, v, h, n_kv):
    """Single channels were repeated, not whole heads: cut into (B, n_kv, T, d) first, then repeat along the head
    axis."""
    k, v = (split_heads(t.repeat_interleave(h // n_kv, dim=-1), h) for t in (k, v))
    return attended(queries(q, h), k, v)


@misconception("gqa-not-shared-out")
def shared(t, h):
    """There are fewer heads of keys and values than queries, and not both are repeated for the members of each
    group."""
    return t


@misconception("gqa-not-shared-out")
def shared_values(v, h):
    """The keys are repeated for each member of a group, the values are not. A group shares both."""
    return v


@misconception("gqa-not-shared-out")
def shared_keys(k, h):
    """The values are repeated for each member of a group, the keys are not. A group shares both."""
    return k


@misconception("gqa-repeats-kv-times")
def shared(t, h):
    """Each head of keys was repeated n_kv_heads times. It has as many users as a group has members: h // n_kv."""
    return t.repeat_interleave(t.size(1), dim=1)


@misconception("gqa-repeats-kv-times")
def shared(t, h):
    """Each head of keys was repeated n_heads times. It has as many users as a group has members: h // n_kv."""
    return t.repeat_interleave(h, dim=1)


@misconception("gqa-group-for-heads")
def shared(t, h):
    """Query head i uses head i // n_kv_heads of the keys. Divide by the members of a group: i // (h // n_kv)."""
    return t[:, [i // t.size(1) for i in range(h)]]


@misconception("gqa-group-for-heads")
def shared(t, h):
    """Query head i uses head i // n_kv_heads of the keys. Divide by the members of a group: i // (h // n_kv)."""
    return t[:, [min(i // t.size(1), t.size(1) - 1) for i in range(h)]]


@misconception("gqa-group-for-heads")
def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    """Query head i uses head i // n_kv_heads of the keys. Divide by the members of a group: i // (h // n_kv)."""
    even_groups(n_heads, n_kv_heads)
    d = x.shape[-1] // n_heads
    heads = []
    for i in range(n_heads):
        rows = slice(i // n_kv_heads * d, (i // n_kv_heads + 1) * d)
        q, k, v = (x @ w[part].T for w, part in ((wq, slice(i * d, i * d + d)), (wk, rows), (wv, rows)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(d)
        heads.append(scores.masked_fill(ahead(scores), -INF).softmax(dim=-1) @ v)
    return torch.cat(heads, dim=-1) @ wo.T


@misconception("gqa-group-for-heads")
def gqa(*inputs):
    """Query head i uses head i // n_kv_heads of the keys. Divide by the members of a group: i // (h // n_kv)."""
    return head_by_head(*inputs, lambda i: i // inputs[-1])


@misconception("gqa-group-size-fixed", alone=True)
def gqa(*inputs):
    """Your groups always have two members. How many share follows from the call: n_heads // n_kv_heads."""
    return head_by_head(*inputs, lambda i: i // 2)


@misconception("gqa-group-size-fixed", alone=True)
def shared(t, h):
    """Your groups always have two members. How many share follows from the call: n_heads // n_kv_heads."""
    return t.repeat_interleave(2, dim=1)


@misconception("gqa-group-size-fixed", alone=True)
def shared(t, h):
    """Your groups always have four members. How many share follows from the call: n_heads // n_kv_heads."""
    return t.repeat_interleave(4, dim=1)


@misconception("gqa-wrong-axis-repeated")
def shared(t, h):
    """The tokens were repeated, not the heads: after the transpose the heads are axis 1 of (B, n_kv, T, d)."""
    return t.repeat_interleave(h // t.size(1), dim=2)


@misconception("gqa-wrong-axis-repeated")
def gqa(*inputs):
    """The tokens were repeated, not the heads: repeat along axis 1 after the transpose, or along axis 2 before it."""
    h, n_kv = inputs[-2:]
    return by_sizes(*inputs, lambda t: t.repeat_interleave(h // n_kv, dim=2))


@misconception("gqa-wrong-axis-repeated")
def gqa(*inputs):
    """The sequences were repeated, not the heads: the heads are axis 1 of (B, n_kv, T, d)."""
    h, n_kv = inputs[-2:]
    return by_sizes(*inputs, lambda t: t.repeat_interleave(h // n_kv, dim=0))


@misconception("gqa-wrong-axis-repeated")
def shared(t, h):
    """The sequences were repeated, not the heads: the heads are axis 1 of (B, n_kv, T, d)."""
    return t.repeat_interleave(h // t.size(1), dim=0)


@misconception("heads-share-keys-values")
def shared(t, h):
    """All query heads use the first head of keys and values. Each group has one of its own: head i uses head
    i // (h // n_kv)."""
    return t[:, :1]


@misconception("heads-share-keys-values", alone=True)
def shared(t, h):
    """All query heads use the last head of keys and values. Each group has one of its own: head i uses head
    i // (h // n_kv)."""
    return t[:, -1:]


@misconception("heads-share-keys-values", alone=True)
def shared_keys(k, h):
    """All query heads use the first head of keys. Each group has keys of its own, as it has values of its own."""
    return k[:, :1]


@misconception("heads-share-keys-values", alone=True)
def shared_values(v, h):
    """All query heads use the first head of values. Each group has values of its own, as it has keys of its own."""
    return v[:, :1]


@misconception("gqa-kv-heads-averaged")
def shared(t, h):
    """The heads of keys and values were averaged into one for everybody. Each group uses one of them as it is."""
    return t.mean(dim=1, keepdim=True)


@misconception("gqa-queries-averaged")
def grouped(q, k, v, h, n_kv):
    """The query heads of a group were averaged into one. They share keys and values, and each asks its own
    question."""
    q = right_queries(q, h).unflatten(1, (n_kv, h // n_kv)).mean(dim=2)
    return attended(*(right_sharing(t, h) for t in (q, kept(k, n_kv), kept(v, n_kv))))


@misconception("gqa-queries-averaged")
def grouped(q, k, v, h, n_kv):
    """The query heads of a group were averaged into one, so that too few results are left for wo. Each asks its own
    question."""
    q = right_queries(q, h).unflatten(1, (n_kv, h // n_kv)).mean(dim=2)
    return attended(q, kept(k, n_kv), kept(v, n_kv))


@misconception("scale-n-heads", alone=True)
def grouped(q, k, v, h, n_kv):
    """The scores are divided by the root of the number of heads of keys. A dot product runs over the channels of one
    head: divide by sqrt(d)."""
    return right_grouping(q * math.sqrt(q.size(-1) / h / n_kv), k, v, h, n_kv)


@misconception("scale-n-heads", alone=True)
def grouped(q, k, v, h, n_kv):
    """The scores are divided by the root of the number of heads in a group. A dot product runs over the channels of
    one head: divide by sqrt(d)."""
    return right_grouping(q * math.sqrt(q.size(-1) / h / (h // n_kv)), k, v, h, n_kv)


@misconception("gqa-head-size-from-kv", alone=True)
def grouped(q, k, v, h, n_kv):
    """The scores are divided by the root of C // n_kv_heads. A dot product runs over the channels of one head:
    d = C // n_heads."""
    q = queries(q, h) * math.sqrt(n_kv / h)
    return attended(q, shared_keys(kept(k, n_kv), h), shared_values(kept(v, n_kv), h))


@misconception("gqa-head-size-from-kv")
def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    """Your heads of keys have C // n_kv_heads channels, which wk does not have: the head size is C // n_heads for
    all."""
    B, T, C = x.shape
    even_groups(n_heads, n_kv_heads)
    k, v = ((x @ w.T).view(B, T, n_kv_heads, C // n_kv_heads).transpose(1, 2) for w in (wk, wv))
    y = attended(queries(x @ wq.T, n_heads), shared_keys(k, n_heads), shared_values(v, n_heads))
    return output(merge_heads(y), wo)


@misconception("gqa-keys-cut-into-n-heads")
def grouped(q, k, v, h, n_kv):
    """Keys and values were cut into n_heads pieces, so that each is too small for its query: they have n_kv_heads
    heads."""
    return attended(queries(q, h), split_heads(k, h), split_heads(v, h))


@misconception("gqa-keys-cut-into-n-heads")
def grouped(q, k, v, h, n_kv):
    """Keys and values were to be cut into n_heads heads, and do not have that many: they have n_kv_heads heads."""
    k, v = (t.view(*t.shape[:2], h, q.size(-1) // h).transpose(1, 2) for t in (k, v))
    return attended(queries(q, h), shared_keys(k, h), shared_values(v, h))


def unrefused(x, wq, wk, wv, wo, n_heads, n_kv_heads, share):
    """gqa without a look at the head counts; `share` makes the keys and values of all query heads."""
    q, k, v = right_projection(x, wq, wk, wv)
    k, v = (share(split_heads(t, n_kv_heads)) for t in (k, v))
    return output(merge_heads(attended(queries(q, n_heads), k, v)), wo)


@misconception("nondivisible-accepted")
def gqa(*inputs):
    """Right where it comes out even. Where n_kv_heads does not divide n_heads some groups are larger: refuse that."""
    h, n_kv = inputs[-2:]
    return unrefused(*inputs, lambda t: t[:, [i * n_kv // h for i in range(h)]])


@misconception("nondivisible-accepted")
def gqa(*inputs):
    """Right where it comes out even. Where n_kv_heads does not divide n_heads the last group is larger: refuse that."""
    h, n_kv = inputs[-2:]
    return unrefused(*inputs, lambda t: t[:, [min(i // max(h // n_kv, 1), n_kv - 1) for i in range(h)]])


@misconception("nondivisible-accepted")
def gqa(*inputs):
    """Right where it comes out even. Where n_kv_heads does not divide n_heads some heads are made up: refuse that."""
    h, n_kv = inputs[-2:]
    return unrefused(*inputs, lambda t: t.repeat_interleave(-(-h // n_kv), dim=1)[:, :h])


# Where only one of the two cuts is wrong


@misconception("split-view-no-transpose", alone=True)
def queries(t, h):
    """The queries were reshaped straight to (B, h, T, d), which cuts through tokens: reshape to (B, T, h, d), then
    transpose."""
    return straight(t, h)


@misconception("split-view-no-transpose", alone=True)
def kept(t, n_kv):
    """Keys and values were reshaped straight to (B, n_kv, T, d), which cuts through tokens: reshape to (B, T, n_kv, d),
    then transpose."""
    return straight(t, n_kv)


@misconception("softmax-over-heads", alone=True)
def softmax(scores):
    """The softmax runs over the heads. It has to run over the keys: dim=-1."""
    return scores.softmax(dim=1).nan_to_num(0.0)


# The weights


@misconception("output-projection-missing")
def output(y, weight):
    """The merged heads are returned as they are. The last step is @ wo.T, which lets them mix."""
    return y


@misconception("output-weight-not-transposed")
def output(y, weight):
    """wo is used the wrong way round: as in torch.nn.Linear it has to be transposed, y @ wo.T."""
    return y @ weight


@misconception("qkv-weight-not-transposed")
def projected(x, wq, wk, wv):
    """wq is used the wrong way round: as in torch.nn.Linear it has to be transposed, x @ wq.T."""
    return x @ wq, x @ wk.T, x @ wv.T


@misconception("qkv-weight-not-transposed")
def projected(x, wq, wk, wv):
    """wk is (n_kv * d, C), and x ends in C: the product needs its transpose, x @ wk.T."""
    return x @ wq, x @ wk, x @ wv


@misconception("qkv-weight-not-transposed")
def projected(x, wq, wk, wv):
    """wk is (n_kv * d, C), and x ends in C: the product needs its transpose, x @ wk.T."""
    return x @ wq.T, x @ wk, x @ wv


@misconception("qkv-weight-not-transposed")
def gqa(x, wq, wk, wv, wo, *heads):
    """None of the weights is transposed. Their rows are the outputs, as in torch.nn.Linear: x @ wk.T."""
    return right_gqa(x, wq.T, wk.T, wv.T, wo.T, *heads)


@misconception("qkv-order-permuted")
def projected(x, wq, wk, wv):
    """Keys and values have changed places: what is compared with the queries comes from wk, what is collected from
    wv."""
    return right_projection(x, wq, wv, wk)


@misconception("value-uses-key-projection")
def projected(x, wq, wk, wv):
    """What is collected are the keys; wv is never used."""
    return right_projection(x, wq, wk, wk)


# Right numbers, and still something wrong


@misconception("modifies-input")
def gqa(x, *rest):
    """The answer is right but x was overwritten, and its owner may still need it."""
    return x.copy_(right_gqa(x, *rest))


@misconception("gradient-cut")
def softmax(scores):
    """The numbers are right, but no gradient passes the attention weights (detach, tolist, no_grad): queries and keys
    cannot learn."""
    return right_softmax(scores).detach()


@misconception("gradient-cut")
def gqa(*inputs):
    """The numbers are right, but the whole path is cut off (no_grad, detach, .data): nothing here can learn."""
    return right_gqa(*inputs).detach()


@misconception("squeeze-drops-dims")
def gqa(*inputs):
    """A batch of one sequence or one token loses an axis, as squeeze() takes away every axis of size 1."""
    return right_gqa(*inputs).squeeze()


@misconception("squeeze-drops-dims")
def gqa(*inputs):
    """As soon as there is only one sequence the batch axis is gone, as squeeze(0) or an index [0] does it."""
    return right_gqa(*inputs).squeeze(0)
