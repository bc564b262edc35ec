"""Wrong answers to mha_by_loop that are worth naming. The docstring of each is the sentence its author hears.

The loop gives what the module gives, so what can go wrong in a step of the module is written there and applies here by
itself. Only what belongs to slices of the weights and to a loop over heads is added.
"""

import math

import torch
from c2_multi_head_attention import attended, projected, right_heads, self_attention

from autograder.course import assembled, misconception


@assembled(
    without=(
        "modifies-input",
        "contract-returns-list",
        "contract-heads-in-batch",
        "contract-returns-4d",
        "contract-missing-head-axis",
        "output-projection-missing",
        "output-weight-not-transposed",
    )
)
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    return self_attention(x, qkv_weight, out_weight, n_heads)


right_loop = mha_by_loop


def joined(x, qkv_weight, out_weight, h, join):
    """The loop up to its last line, which `join` does with the results of the heads, h times (B, T, d).

    Each has memory of its own, as in a loop: torch words its errors by how numbers lie in memory.
    """
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in projected(x, qkv_weight, h))
    heads = attended(q, k, v).unbind(1)
    return join([y.clone(memory_format=torch.contiguous_format) for y in heads], out_weight)


# Which rows belong to a head


@misconception("qkv-weight-columns")
def projected(x, weight, h):
    """The projections are used the wrong way round: head i takes rows i*d to (i+1)*d, not columns, and
    transposes them."""
    return [x @ third for third in weight.chunk(3)]


@misconception("qkv-weight-not-transposed")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """A slice of rows is (d, C), and x ends in C: the product needs its transpose, x @ slice.T."""
    return x @ qkv_weight[: x.shape[-1] // n_heads]


@misconception("qkv-weight-not-transposed", proves="name")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """A slice of rows is (d, C), and x ends in C: the product needs its transpose, x @ slice.T."""
    C = x.shape[-1]
    w_q = qkv_weight[:C]
    return x @ w_q[: C // n_heads]


@misconception("qkv-weight-not-transposed", proves="name")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """qkv_weight is (3C, C), and x ends in C: the product needs its transpose, x @ qkv_weight.T."""
    return x @ qkv_weight


@misconception("contract-projection-per-slice")
def projected(x, weight, h):
    """Head i reads only slice i of the input. It may read all C channels; only its outputs are d wide."""
    own = torch.block_diag(*[torch.ones(x.shape[-1] // h, x.shape[-1] // h)] * h)
    return [x @ (third * own).T for third in weight.chunk(3)]


@misconception("head-count-is-head-dim")
def by_heads(q, k, v, h):
    """n_heads is taken for the size of a head. It is how many there are; each has C // n_heads channels."""
    return right_heads(q, k, v, q.shape[-1] // h)


# Scale


@misconception("scale-d-model")
def scaled(scores, q):
    """The scores are divided by the whole width. A dot product runs over one head: divide by sqrt(d)."""
    return scores / (q.shape[-1] * q.shape[1])


# Joining the heads


@misconception("merge-heads-averaged")
def mha_by_loop(*inputs):
    """Only the width of one head is left: heads are neither averaged nor summed nor picked, they stand side by side."""
    return joined(*inputs, lambda heads, out_weight: sum(heads) @ out_weight.T)


@misconception("merge-heads-averaged")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """What the heads contribute was averaged: it is h times too small. Every head counts in full."""
    return right_loop(x, qkv_weight, out_weight, n_heads) / n_heads


def mixed(y, out_weight):
    return y @ out_weight.T


@misconception("merge-cat-along-time", same_as=("merge-cat-along-batch",))
def mha_by_loop(*inputs):
    """The heads were joined one after the other, as if they were more tokens or more sequences. Join them along the
    channels: torch.cat(heads, dim=-1)."""
    return joined(*inputs, lambda heads, out_weight: mixed(torch.cat(heads, dim=1), out_weight))


@misconception("merge-cat-along-batch", same_as=("merge-cat-along-time",))
def mha_by_loop(*inputs):
    """The heads were joined one after the other, as if they were more sequences or more tokens. Join them along the
    channels: torch.cat(heads, dim=-1)."""
    return joined(*inputs, lambda heads, out_weight: mixed(torch.cat(heads, dim=0), out_weight))


@misconception("merge-heads-not-joined")
def mha_by_loop(*inputs):
    """The heads were stacked along an axis of their own. torch.stack adds an axis; torch.cat(heads, dim=-1) puts them
    side by side on the one they have."""
    return joined(*inputs, lambda heads, out_weight: mixed(torch.stack(heads, dim=0), out_weight))


@misconception("merge-heads-not-joined")
def mha_by_loop(*inputs):
    """The heads were stacked along an axis of their own. torch.stack adds an axis; torch.cat(heads, dim=-1) puts them
    side by side on the one they have."""
    return joined(*inputs, lambda heads, out_weight: mixed(torch.stack(heads, dim=1), out_weight))


@misconception("merge-heads-not-joined")
def mha_by_loop(*inputs):
    """The heads were stacked along an axis of their own. torch.stack adds an axis; torch.cat(heads, dim=-1) puts them
    side by side on the one they have."""
    return joined(*inputs, lambda heads, out_weight: mixed(torch.stack(heads, dim=2), out_weight))


@misconception("merge-heads-not-joined")
def mha_by_loop(*inputs):
    """The heads were stacked along an axis of their own. torch.stack adds an axis; torch.cat(heads, dim=-1) puts them
    side by side on the one they have."""
    return joined(*inputs, lambda heads, out_weight: mixed(torch.stack(heads, dim=3), out_weight))


@misconception("contract-returns-list")
def mha_by_loop(*inputs):
    """The heads came back one by one, and out_weight is not used. Join them with torch.cat(heads, dim=-1), then let
    out_weight mix them."""
    return joined(*inputs, lambda heads, out_weight: heads)


@misconception("merge-heads-not-joined")
def mha_by_loop(*inputs):
    """The heads are stacked, not joined, and out_weight is not used: torch.cat(heads, dim=-1), then @ out_weight.T."""
    return joined(*inputs, lambda heads, out_weight: torch.stack(heads, dim=0))


@misconception("merge-heads-not-joined")
def mha_by_loop(*inputs):
    """The heads are stacked, not joined, and out_weight is not used: torch.cat(heads, dim=-1), then @ out_weight.T."""
    return joined(*inputs, lambda heads, out_weight: torch.stack(heads, dim=1))


@misconception("merge-heads-not-joined")
def mha_by_loop(*inputs):
    """The heads are stacked, not joined, and out_weight is not used: torch.cat(heads, dim=-1), then @ out_weight.T."""
    return joined(*inputs, lambda heads, out_weight: torch.stack(heads, dim=2))


@misconception("output-weight-not-transposed")
def mha_by_loop(*inputs):
    """The columns of out_weight that belong to a head are (C, d), and what it hands over ends in d: the product needs
    their transpose, head @ out_weight[:, i*d:(i+1)*d].T."""

    def columns(heads, out_weight):
        d = heads[0].shape[-1]
        return sum(y @ out_weight[:, i * d : (i + 1) * d] for i, y in enumerate(heads))

    return joined(*inputs, columns)


@misconception("output-wrong-slice")
def mha_by_loop(*inputs):
    """The slice of out_weight does not fit. What head i hands over goes in through columns i*d to (i+1)*d:
    head @ out_weight[:, i*d:(i+1)*d].T."""

    def rows(heads, out_weight):
        d = heads[0].shape[-1]
        return sum(y @ out_weight[i * d : (i + 1) * d].T for i, y in enumerate(heads))

    return joined(*inputs, rows)


@misconception("merge-keeps-one-head")
def mha_by_loop(*inputs):
    """Only what the last head contributes is left: the loop overwrites its result instead of adding to it."""

    def last(heads, out_weight):
        return heads[-1] @ out_weight[:, -heads[-1].shape[-1] :].T

    return joined(*inputs, last)


@misconception("output-projection-missing")
def output(y, weight):
    """The heads stand side by side, and there it ends. One product is left: out_weight lets them mix."""
    return y


@misconception("output-weight-not-transposed")
def output(y, weight):
    """out_weight is used the wrong way round, and only its square shape hides that: the product is y @ out_weight.T."""
    return y @ weight


@misconception("output-wrong-slice")
def mha_by_loop(*inputs):
    """Every head goes through the first d columns of out_weight. Head i has columns i*d to (i+1)*d of its own."""
    return joined(*inputs, lambda heads, out_weight: sum(heads) @ out_weight[:, : heads[0].shape[-1]].T)


# Right numbers, and still something wrong


@misconception("modifies-input")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """The answer is right but x was overwritten, and its owner may still need it. Collect the heads in a new tensor."""
    return x.copy_(right_loop(x, qkv_weight, out_weight, n_heads))


@misconception("modifies-input")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """The answer is right but qkv_weight was scaled in place, and is wrong the next time. Scale the scores, or
    a copy."""
    result = right_loop(x, qkv_weight, out_weight, n_heads)
    qkv_weight[: x.shape[-1]] /= math.sqrt(x.shape[-1] // n_heads)
    return result


@misconception("gradient-cut")
def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    """The numbers are right, but the weights are used through .data or detach: they cannot learn."""
    return right_loop(x, qkv_weight.detach(), out_weight.detach(), n_heads)
