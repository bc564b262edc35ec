"""Wrong answers to split_heads that are worth naming. The docstring of each is the sentence its author hears."""

import torch
import torch.nn.functional as F

from autograder.course import misconception


def _cut(x, n_heads):
    """(B, T, h, d): every token cut in place, the head axis not moved yet."""
    B, T, C = x.shape
    if C % n_heads:
        raise ValueError(f"width {C} cannot be cut into {n_heads} equal heads")
    return x.reshape(B, T, n_heads, C // n_heads)


@misconception("split-missing-transpose")
def split_heads(x, n_heads):
    """Your axes are (B, T, h, d): the heads have to come before the tokens, so one transpose(1, 2) is missing."""
    return _cut(x, n_heads)


@misconception("split-view-no-transpose")
def split_heads(x, n_heads):
    """The shape is right but the cut went through the sequence: first reshape to (B, T, h, d), then transpose(1, 2)."""
    B, T, C = x.shape
    return x.reshape(B, n_heads, T, C // n_heads)


@misconception("split-reshape-then-transpose", alone=True)
def split_heads(x, n_heads):
    """You reshaped to the final shape first and moved an axis afterwards. The other way round: cut the channels of each
    token, (B, T, h, d), then let h and T change places."""
    B, T, C = x.shape
    return x.reshape(B, n_heads, T, C // n_heads).transpose(1, 2)


@misconception("split-view-head-dim-time", alone=True)
def split_heads(x, n_heads):
    """Asking for (B, h, d, T) in one reshape mixes tokens and channels: only the last axis may be cut, into (h, d)."""
    B, T, C = x.shape
    return x.reshape(B, n_heads, C // n_heads, T)


@misconception("split-view-head-dim-time", alone=True)
def split_heads(x, n_heads):
    """The shape is right, the numbers are not: a reshape to (B, h, d, T) already mixed tokens and channels, and turning
    the last two axes afterwards cannot undo it. Only the last axis may be cut, into (h, d)."""
    B, T, C = x.shape
    return x.reshape(B, n_heads, C // n_heads, T).transpose(2, 3)


@misconception("split-head-dim-before-time")
def split_heads(x, n_heads):
    """Each head has its own channels, but the last two axes have changed places: you return (B, h, d, T), asked for is
    (B, h, T, d)."""
    return _cut(x, n_heads).permute(0, 2, 3, 1)


@misconception("split-heads-before-batch", alone=True)
def split_heads(x, n_heads):
    """The head axis stands in front of the batch axis, (h, B, T, d). The batch stays first."""
    return _cut(x, n_heads).permute(2, 0, 1, 3)


@misconception("split-wrong-axes", alone=True)
def split_heads(x, n_heads):
    """The cut is right, but the axes that changed places are batch and tokens. Swap tokens and heads, axes 1 and 2."""
    return _cut(x, n_heads).transpose(0, 1)


@misconception("split-wrong-axes", alone=True)
def split_heads(x, n_heads):
    """The cut is right, but the axes that changed places are batch and heads. Swap tokens and heads, axes 1 and 2."""
    return _cut(x, n_heads).transpose(0, 2)


@misconception("split-wrong-axes", alone=True)
def split_heads(x, n_heads):
    """The cut is right, but the axes that changed places are tokens and channels. Swap tokens and heads, axes 1 and
    2."""
    return _cut(x, n_heads).transpose(1, 3)


@misconception("split-wrong-axes", alone=True)
def split_heads(x, n_heads):
    """The cut is right, but the axes that changed places are heads and channels. Swap tokens and heads, axes 1 and
    2."""
    return _cut(x, n_heads).transpose(2, 3)


@misconception("split-interleaved-channels")
def split_heads(x, n_heads):
    """Your heads take every h-th channel, like cards dealt to players. A head is one block: head 0 gets channels 0 to
    d-1."""
    return torch.stack([x[..., i::n_heads] for i in range(n_heads)], dim=1)


@misconception("split-interleaved-channels")
def split_heads(x, n_heads):
    """You cut the channels into (d, h), which deals them to the heads like cards; cut them into (h, d), one block for
    each head. The head axis also still stands behind the tokens."""
    return torch.stack([x[..., i::n_heads] for i in range(n_heads)], dim=2)


@misconception("heads-reversed")
def split_heads(x, n_heads):
    """The heads stand in reverse order, the last one first. Head 0 is the first block, channels 0 to d-1."""
    return _cut(x, n_heads).transpose(1, 2).flip(1)


@misconception("split-cuts-time")
def split_heads(x, n_heads):
    """You gave each head a piece of the sequence. Every head reads all tokens and only a slice of their channels."""
    B, T, C = x.shape
    return x.reshape(B, n_heads, T // n_heads, C)


@misconception("split-full-width-heads")
def split_heads(x, n_heads):
    """Every head received all C channels. The channels are shared out, not copied: C // h for each head."""
    return torch.stack([x] * n_heads, dim=1)


@misconception("batch-time-confused", alone=True)
def split_heads(x, n_heads):
    """You read x as (T, B, C), so rows of one sequence end up in others. The batch comes first: B, T, C = x.shape."""
    T, B, C = x.shape
    return x.reshape(B, T, n_heads, C // n_heads).transpose(1, 2)


@misconception("batch-time-confused", alone=True)
def split_heads(x, n_heads):
    """Batch and tokens have changed places: x comes as (B, T, C), the batch first."""
    return _cut(x, n_heads).permute(1, 2, 0, 3)


@misconception("batch-time-confused", alone=True)
def split_heads(x, n_heads):
    """The numbers were regrouped as if x came as (T, B, C), so the sequences are mixed: x is (B, T, C), the batch
    first."""
    B, T, C = x.shape
    return x.reshape(T, B, n_heads, C // n_heads).permute(1, 2, 0, 3)


@misconception("head-count-is-head-dim")
def split_heads(x, n_heads):
    """You used n_heads as the size of a head. It says how many heads there are; the size of one is C // n_heads."""
    B, T, C = x.shape
    return x.reshape(B, T, -1, n_heads).transpose(1, 2)


@misconception("hard-coded-head-dim", alone=True, proves="name")
def split_heads(x, n_heads):
    """A head size of 64 is written into the code. That is GPT-2 small; compute it from what you are given, C //
    n_heads."""
    B, T, C = x.shape
    return x.reshape(B, T, n_heads, 64).transpose(1, 2)


@misconception("hard-coded-head-dim", alone=True, proves="name")
def split_heads(x, n_heads):
    """A head size of 64 is written into the code. That is GPT-2 small; compute it from what you are given, C //
    n_heads."""
    return x.unflatten(-1, (n_heads, 64)).transpose(1, 2)


@misconception("hard-coded-head-dim", alone=True, proves="name")
def split_heads(x, n_heads):
    """A head size of 64 is written into the code. That is GPT-2 small; compute it from what you are given, C //
    n_heads."""
    B, T, C = x.shape
    return x.reshape(B, T, -1, 64).transpose(1, 2)


@misconception("ignores-n-head", alone=True)
def split_heads(x, n_heads):
    """Whatever n_heads says, you cut into 12 heads: a number, or another name, stands where n_heads belongs."""
    return _cut(x, 12).transpose(1, 2)


@misconception("ignores-n-head", alone=True)
def split_heads(x, n_heads):
    """Whatever n_heads says, you cut into 8 heads: a number, or another name, stands where n_heads belongs."""
    return _cut(x, 8).transpose(1, 2)


@misconception("ignores-n-head", alone=True)
def split_heads(x, n_heads):
    """Whatever n_heads says, you cut into 4 heads: a number, or another name, stands where n_heads belongs."""
    return _cut(x, 4).transpose(1, 2)


@misconception("ignores-n-head", alone=True)
def split_heads(x, n_heads):
    """Whatever n_heads says, you cut into 2 heads, as in the example: a number stands where n_heads belongs."""
    return _cut(x, 2).transpose(1, 2)


@misconception("ignores-n-head", alone=True)
def split_heads(x, n_heads):
    """Whatever n_heads says, your result has a single head with all the channels: n_heads is never used."""
    return _cut(x, 1).transpose(1, 2)


@misconception("contract-returns-list")
def split_heads(x, n_heads):
    """You return a list or tuple with one tensor per head. Return one tensor (B, h, T, d): torch.stack(..., dim=1)
    joins them."""
    return list(_cut(x, n_heads).unbind(2))


@misconception("contract-heads-in-batch")
def split_heads(x, n_heads):
    """The numbers are right, but you folded the heads into the batch, (B*h, T, d). Keep them as an axis: (B, h, T,
    d)."""
    return _cut(x, n_heads).transpose(1, 2).flatten(0, 1)


@misconception("contract-heads-in-batch")
def split_heads(x, n_heads):
    """The numbers are right, but you joined the heads along the batch, (h*B, T, d). Keep them as an axis of their own:
    (B, h, T, d)."""
    return _cut(x, n_heads).permute(2, 0, 1, 3).flatten(0, 1)


@misconception("squeeze-drops-dims")
def split_heads(x, n_heads):
    """As soon as there is a single sequence the batch axis is gone, as squeeze(0) or [0] do it. Leave such axes."""
    return _cut(x, n_heads).transpose(1, 2).squeeze(0)


@misconception("squeeze-drops-dims")
def split_heads(x, n_heads):
    """Axes of size 1 are gone, those of one sequence or one token, as squeeze() does it. Leave them where they are."""
    return _cut(x, n_heads).transpose(1, 2).squeeze()


@misconception("squeeze-drops-dims")
def split_heads(x, n_heads):
    """As soon as a head has a single channel its axis is gone, as squeeze(-1) does it. Leave axes of size 1 where they
    are."""
    return _cut(x, n_heads).transpose(1, 2).squeeze(-1)


@misconception("nondivisible-accepted")
def split_heads(x, n_heads):
    """Widths that do not divide get through: with a -1 the tokens were regrouped until some shape fitted. Check C %
    n_heads first and raise an error."""
    return x.reshape(x.size(0), -1, n_heads, x.size(-1) // n_heads).transpose(1, 2)


@misconception("nondivisible-accepted")
def split_heads(x, n_heads):
    """Widths that do not divide get through: the channels left over are dropped. Check C % n_heads first and raise an
    error."""
    d = x.size(-1) // n_heads
    return torch.stack([x[..., i * d : (i + 1) * d] for i in range(n_heads)], dim=1)


@misconception("nondivisible-accepted")
def split_heads(x, n_heads):
    """Widths that do not divide get through with another number of heads than asked for. Check C % n_heads first and
    raise an error."""
    d = x.size(-1) // n_heads
    return x.unfold(-1, d, d).transpose(1, 2)


@misconception("nondivisible-accepted")
def split_heads(x, n_heads):
    """Widths that do not divide can get through: chunk may return fewer pieces than asked for. Check C % n_heads first
    and raise an error."""
    return torch.stack(x.chunk(n_heads, dim=-1), dim=1)


@misconception("nondivisible-accepted")
def split_heads(x, n_heads):
    """Widths that do not divide get through: the last head is filled up with zeros. Check C % n_heads first and raise
    an error."""
    return _cut(F.pad(x, (0, -x.size(-1) % n_heads)), n_heads).transpose(1, 2)


@misconception("gradient-cut")
def split_heads(x, n_heads):
    """The values are right, but no gradient gets back to x (detach, .data, numpy and no_grad all do that): a layer
    built on this cannot learn."""
    return _cut(x.detach(), n_heads).transpose(1, 2)


@misconception("modifies-input")
def split_heads(x, n_heads):
    """The answer is right, but the caller's x has another shape afterwards. Names that end in an underscore work in
    place; reshape leaves x alone."""
    B, T, C = x.shape
    return x.resize_(B, T, n_heads, C // n_heads).transpose(1, 2)


@misconception("modifies-input")
def split_heads(x, n_heads):
    """The answer is right, but the caller's x has another shape afterwards: you assigned to x.data. Work on a new
    name."""
    x.data = _cut(x.data, n_heads)
    return x.transpose(1, 2)
