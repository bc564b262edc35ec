"""Wrong answers to merge_heads that are worth naming. The docstring of each is the sentence its author hears."""

import torch
import torch.nn.functional as F

from autograder.course import misconception


def _merge(y):
    return y.transpose(1, 2).flatten(2)


def _regroup(y, *axes):
    """The axes of y in another order, then forced into (B, T, C)."""
    B, h, T, d = y.shape
    return y.permute(*axes).reshape(B, T, h * d)


@misconception("merge-without-transpose")
def merge_heads(y):
    """The shape is right, but the rows mix neighbouring tokens of one head, so the future leaks. Bring the heads back
    next to the channels with transpose(1, 2) before you reshape."""
    return _regroup(y, 0, 1, 2, 3)


@misconception("merge-view-crash")
def merge_heads(y):
    """view needs numbers that lie in reading order, and a transpose takes them out of it. Put contiguous() between the
    two, after the transpose, or use reshape; leaving the transpose out would only hide the error."""
    B, h, T, d = y.shape
    return y.transpose(1, 2).view(B, T, h * d)


@misconception("merge-wrong-axes", alone=True)
def merge_heads(y):
    """The wrong axes changed places, 1 and 3. Tokens and heads are axes 1 and 2; the channels stay last."""
    return _regroup(y, 0, 3, 2, 1)


@misconception("merge-wrong-axes", alone=True)
def merge_heads(y):
    """The wrong axes changed places, the last two. Tokens and heads are axes 1 and 2; the channels stay last."""
    return _regroup(y, 0, 1, 3, 2)


@misconception("merge-wrong-axes", alone=True)
def merge_heads(y):
    """The wrong axes changed places, 0 and 1. Tokens and heads are axes 1 and 2; the batch stays first."""
    return _regroup(y, 1, 0, 2, 3)


@misconception("merge-wrong-axes", alone=True)
def merge_heads(y):
    """The wrong axes changed places, 0 and 2. Tokens and heads are axes 1 and 2; the batch stays first."""
    return _regroup(y, 2, 1, 0, 3)


@misconception("merge-wrong-axes", alone=True)
def merge_heads(y):
    """The channels moved to the front of the heads, (B, d, h, T). Only tokens and heads, axes 1 and 2, change
    places."""
    return _regroup(y, 0, 3, 1, 2)


@misconception("merge-interleaved-channels")
def merge_heads(y):
    """The heads are shuffled together like cards, joined as (d, h). All of head 0 comes first, then all of head 1: join
    (h, d)."""
    return _regroup(y, 0, 2, 3, 1)


@misconception("heads-reversed")
def merge_heads(y):
    """The heads stand in reverse order, the last one first. Head 0 is the first block, channels 0 to d-1."""
    return _merge(y.flip(1))


@misconception("merge-cat-along-time", alone=True)
def merge_heads(y):
    """The heads were joined along the tokens, so the sequence is h times as long. Join them along the channels, the
    last axis."""
    return y.flatten(1, 2)


@misconception("merge-cat-along-time", alone=True)
def merge_heads(y):
    """After the transpose the heads were joined with the tokens, so the sequence is h times as long. Join the last two
    axes instead."""
    return y.transpose(1, 2).flatten(1, 2)


@misconception("merge-cat-along-batch", alone=True)
def merge_heads(y):
    """The heads were joined along the batch, which looks like h times as many sequences. Join them along the channels,
    the last axis."""
    return torch.cat(y.unbind(1), dim=0)


@misconception("merge-cat-along-batch", alone=True)
def merge_heads(y):
    """The heads were folded into the batch, which looks like h times as many sequences. Join them with the channels,
    the last axis."""
    return y.flatten(0, 1)


@misconception("merge-heads-averaged")
def merge_heads(y):
    """The heads were averaged, which throws away what made them differ. They stand side by side: (B, T, h * d)."""
    return y.mean(dim=1)


@misconception("merge-heads-averaged")
def merge_heads(y):
    """The width is right, but every block holds the same average of all heads. Keep each head's own channels, side by
    side."""
    return _merge(y.mean(dim=1, keepdim=True).expand_as(y))


@misconception("merge-heads-summed", alone=True)
def merge_heads(y):
    """The heads were summed up. They stand side by side, (B, T, h * d); adding is left to the output projection."""
    return y.sum(dim=1)


@misconception("merge-heads-summed", alone=True)
def merge_heads(y):
    """The width is right, but every block holds the same sum of all heads. Keep each head's own channels, side by
    side."""
    return _merge(y.sum(dim=1, keepdim=True).expand_as(y))


@misconception("merge-heads-max", alone=True)
def merge_heads(y):
    """Only the largest value among the heads was kept. Keep them all, side by side: (B, T, h * d)."""
    return y.amax(dim=1)


@misconception("merge-keeps-one-head", alone=True)
def merge_heads(y):
    """Only one head is left, as where each round of the loop overwrites the one before. Collect all heads, then join
    them."""
    return y[:, -1]


@misconception("merge-keeps-one-head", alone=True)
def merge_heads(y):
    """Only head 0 is left: an index stayed in. All heads belong into the result, side by side."""
    return y[:, 0]


@misconception("merge-keeps-one-head", alone=True)
def merge_heads(y):
    """The width is right, but every block is a copy of the last head. Each head brings its own d channels."""
    return _merge(y[:, -1:].expand_as(y))


@misconception("merge-keeps-one-head", alone=True)
def merge_heads(y):
    """The width is right, but every block is a copy of head 0. Each head brings its own d channels."""
    return _merge(y[:, :1].expand_as(y))


@misconception("merge-keeps-one-head", alone=True)
def merge_heads(y):
    """All heads are written into the first block of the result, so only the last one is left. Head i starts at channel
    i * d."""
    B, h, T, d = y.shape
    return F.pad(y[:, -1], (0, h * d - d))


@misconception("merge-loops-over-batch", alone=True)
def merge_heads(y):
    """The loop over the heads runs B times, once for each sequence, so it takes too few or too many of them. It has to
    run once for each head."""
    return torch.cat([y[:, i] for i in range(y.shape[0])], dim=-1)


@misconception("merge-loops-over-batch", alone=True)
def merge_heads(y):
    """The loop over the heads runs B times, once for each sequence, so the blocks of the other heads stay empty. It has
    to run once for each head."""
    B, h, T, d = y.shape
    merged = y.new_zeros(B, T, h * d)
    for i in range(B):
        merged[:, :, i * d : (i + 1) * d] = y[:, i]
    return merged


@misconception("merge-keeps-last-token", alone=True)
def merge_heads(y):
    """Only the last token is returned. Every token gets its row: (B, T, h * d)."""
    return _merge(y)[:, -1:]


@misconception("merge-keeps-last-token", alone=True)
def merge_heads(y):
    """Only the last token is returned, and its axis is gone too. Every token gets its row: (B, T, h * d)."""
    return _merge(y)[:, -1]


@misconception("merge-channels-before-time")
def merge_heads(y):
    """The channels are joined in the right order, but they come before the tokens: you return (B, C, T), asked for is
    (B, T, C)."""
    return _merge(y).transpose(1, 2)


@misconception("batch-time-confused", alone=True)
def merge_heads(y):
    """Batch and tokens have changed places: the result is (B, T, C), the batch first."""
    return _merge(y).transpose(0, 1)


@misconception("batch-time-confused", alone=True)
def merge_heads(y):
    """The numbers were regrouped as if y came as (h, B, T, d), so sequences and heads are mixed. The batch is the first
    axis: (B, h, T, d)."""
    B, h, T, d = y.shape
    return y.reshape(h, B, T, d).permute(1, 2, 0, 3).flatten(2)


@misconception("batch-time-confused", alone=True)
def merge_heads(y):
    """You joined the batch with the channels as if it were the heads: y comes as (B, h, T, d), the batch first."""
    return y.permute(1, 2, 0, 3).flatten(2)


@misconception("contract-returns-4d")
def merge_heads(y):
    """The axes are in the right order, but there are still four of them. Join the last two, h and d, into C."""
    return y.transpose(1, 2)


@misconception("contract-returns-4d")
def merge_heads(y):
    """Your result is y as it came, (B, h, T, d). Move the heads next to the channels, then join these two axes into
    C."""
    return y.clone()


@misconception("hard-coded-width", proves="name")
def merge_heads(y):
    """A width of 768 is written into the code, the one of GPT-2 small. Compute it from what you are given, h * d."""
    B, h, T, d = y.shape
    return y.transpose(1, 2).reshape(B, T, 768)


@misconception("hard-coded-width", proves="name")
def merge_heads(y):
    """A width of 768 is written into the code, the one of GPT-2 small. Compute it from what you are given, h * d."""
    return y.transpose(1, 2).reshape(y.size(0), -1, 768)


@misconception("hard-coded-width", proves="name")
def merge_heads(y):
    """A width of 512 is written into the code. Compute it from what you are given, h * d."""
    B, h, T, d = y.shape
    return y.transpose(1, 2).reshape(B, T, 512)


@misconception("hard-coded-width", proves="name")
def merge_heads(y):
    """A width of 32 is written into the code. Compute it from what you are given, h * d."""
    B, h, T, d = y.shape
    return y.transpose(1, 2).reshape(B, T, 32)


@misconception("squeeze-drops-dims")
def merge_heads(y):
    """Axes of size 1 are gone, those of one sequence or one token, as squeeze() does it. Leave them where they are."""
    return _merge(y).squeeze()


@misconception("squeeze-drops-dims")
def merge_heads(y):
    """As soon as there is a single sequence the batch axis is gone, as squeeze(0) or [0] do it. Leave such axes."""
    return _merge(y).squeeze(0)


@misconception("squeeze-drops-dims")
def merge_heads(y):
    """As soon as there is a single token its axis is gone, as squeeze(1) does it. Leave axes of size 1."""
    return _merge(y).squeeze(1)


@misconception("gradient-cut")
def merge_heads(y):
    """The values are right, but no gradient gets back to y (detach, .data, numpy and no_grad all do that): a layer
    built on this cannot learn."""
    return _merge(y.detach())


@misconception("modifies-input")
def merge_heads(y):
    """The answer is right, but the caller's y has its axes in another order afterwards. transpose_ with an underscore
    works in place; transpose leaves y alone."""
    return y.transpose_(1, 2).flatten(2)
