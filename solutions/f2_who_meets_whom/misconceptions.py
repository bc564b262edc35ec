"""Wrong answers to head_of_channel and mixture that are worth naming. The docstring is what its author hears."""

import math
from collections import Counter

import numpy as np

from autograder.course import misconception

_right = mixture  # noqa: F821 - the model answer stands above this file when a wrong answer runs


def _block(j, C, h):
    """The channels of head j when C channels are cut for h heads."""
    return range(j * (C // h), (j + 1) * (C // h))


@misconception("channel-mod-heads")
def head_of_channel(c, d_model, n_head):
    """You deal the channels out like cards (c % n_head). view cuts blocks of neighbours: divide by the head size."""
    return c % n_head


@misconception("channel-div-n-head")
def head_of_channel(c, d_model, n_head):
    """You divided by the number of heads. The size of one head, d_model // n_head, says how many channels it takes."""
    return c // n_head


@misconception("channel-div-n-head")
def head_of_channel(c, d_model, n_head):
    """You divided by the number of heads. The size of one head, d_model // n_head, says how many channels it takes."""
    return min(c // n_head, n_head - 1)


@misconception("channel-within-head")
def head_of_channel(c, d_model, n_head):
    """That is the place of the channel inside its head (the remainder). The head itself is the quotient."""
    return c % (d_model // n_head)


@misconception("channel-off-by-one")
def head_of_channel(c, d_model, n_head):
    """Wrong only at the cuts: channels count from 0, so channel d is the first of head 1, not the last of head 0."""
    return max(c - 1, 0) // (d_model // n_head)


@misconception("channel-off-by-one")
def head_of_channel(c, d_model, n_head):
    """Wrong only at the cuts: channels count from 0, so channel d is the first of head 1, not the last of head 0."""
    return (c - 1) // (d_model // n_head)


@misconception("channel-off-by-one")
def head_of_channel(c, d_model, n_head):
    """Wrong only at the cuts: channels count from 0, so channel d - 1 is the last of head 0, not the first of 1."""
    return (c + 1) // (d_model // n_head)


@misconception("channel-off-by-one")
def head_of_channel(c, d_model, n_head):
    """Wrong only at the cuts: channels count from 0, so channel d - 1 is the last of head 0, not the first of 1."""
    return min((c + 1) // (d_model // n_head), n_head - 1)


@misconception("channel-one-based")
def head_of_channel(c, d_model, n_head):
    """Every answer is one too high: heads are counted from 0."""
    return c // (d_model // n_head) + 1


@misconception("channel-rounded")
def head_of_channel(c, d_model, n_head):
    """You round up, so nearly every channel lands one head too far. A channel belongs to the head already begun: //."""
    return math.ceil(c / (d_model // n_head))


@misconception("channel-rounded")
def head_of_channel(c, d_model, n_head):
    """You round up, so nearly every channel lands one head too far. A channel belongs to the head already begun: //."""
    return min(math.ceil(c / (d_model // n_head)), n_head - 1)


@misconception("channel-rounded")
def head_of_channel(c, d_model, n_head):
    """You round to the nearest, so the second half of a head goes to the next one. Cut the fraction off: //."""
    return round(c / (d_model // n_head))


@misconception("channel-rounded")
def head_of_channel(c, d_model, n_head):
    """You round to the nearest, so the second half of a head goes to the next one. Cut the fraction off: //."""
    return min(round(c / (d_model // n_head)), n_head - 1)


@misconception("channel-rounded")
def head_of_channel(c, d_model, n_head):
    """You round to the nearest, so the second half of a head goes to the next one. Cut the fraction off: //."""
    return int(c / (d_model // n_head) + 0.5)


@misconception("channel-rounded")
def head_of_channel(c, d_model, n_head):
    """You round to the nearest, so the second half of a head goes to the next one. Cut the fraction off: //."""
    return min(int(c / (d_model // n_head) + 0.5), n_head - 1)


@misconception("channel-qkv-width")
def head_of_channel(c, d_model, n_head):
    """Your heads are three times too wide: d_model is the width of q alone, not of q, k and v side by side."""
    return c // (3 * d_model // n_head)


@misconception("channel-qkv-width")
def head_of_channel(c, d_model, n_head):
    """Your heads are a third of their size: d_model is the width of q already, so do not divide it by 3."""
    return c // (d_model // (3 * n_head))


@misconception("channel-qkv-width")
def head_of_channel(c, d_model, n_head):
    """You took d_model for the width of q, k and v together. It is the width of q alone."""
    return c % (d_model // 3) // (d_model // (3 * n_head))


@misconception("hard-coded-head-dim")
def head_of_channel(c, d_model, n_head):
    """Your heads always have 64 channels, as in GPT-2 small. Their size follows from the call: d_model // n_head."""
    return c // 64


@misconception("ignores-n-head")
def head_of_channel(c, d_model, n_head):
    """You cut for 12 heads whatever n_head says. Asking with another head count is the point of the exercise."""
    return c * 12 // d_model


@misconception("ignores-n-head")
def head_of_channel(c, d_model, n_head):
    """You cut for 12 heads whatever n_head says. Asking with another head count is the point of the exercise."""
    return c // (d_model // 12)


@misconception("ignores-n-head")
def head_of_channel(c, d_model, n_head):
    """You cut for 16 heads whatever n_head says. Asking with another head count is the point of the exercise."""
    return c * 16 // d_model


@misconception("contract-channel-not-int")
def head_of_channel(c, d_model, n_head):
    """The head is right but came back as a float. A head number is a whole number: use // on integers."""
    return float(c // (d_model // n_head))


@misconception("contract-channel-not-int")
def head_of_channel(c, d_model, n_head):
    """/ leaves the fraction in. The head is the whole part: // on integers."""
    return c / (d_model // n_head)


@misconception("contract-channel-not-int")
def head_of_channel(c, d_model, n_head):
    """The head is right but came back as an array. Return the int."""
    return np.array(c // (d_model // n_head))


@misconception("channel-mod-heads")
def mixture(j, C, h_trained, h_loaded):
    """You deal trained channels out like cards (c % h). Trained heads are blocks of neighbours, so few of them meet."""
    return dict(Counter(c % h_trained for c in _block(j, C, h_loaded)))


@misconception("channel-mod-heads")
def mixture(j, C, h_trained, h_loaded):
    """You deal channels out like cards (c % h), in both models. view cuts blocks of neighbours."""
    return dict(Counter(c % h_trained for c in range(C) if c % h_loaded == j))


@misconception("channel-mod-heads")
def mixture(j, C, h_trained, h_loaded):
    """You deal loaded channels out like cards (c % h). A loaded head is a block of neighbours as well."""
    return dict(Counter(c // (C // h_trained) for c in range(C) if c % h_loaded == j))


@misconception("channel-div-n-head")
def mixture(j, C, h_trained, h_loaded):
    """You divided channels by the number of trained heads. Divide by the size of a trained head, C // h_trained."""
    return dict(Counter(c // h_trained for c in _block(j, C, h_loaded)))


@misconception("channel-div-n-head")
def mixture(j, C, h_trained, h_loaded):
    """You took the head counts for the head sizes. A head of a model with h heads has C // h channels."""
    return dict(Counter(c // h_trained for c in range(j * h_loaded, (j + 1) * h_loaded)))


@misconception("channel-within-head")
def mixture(j, C, h_trained, h_loaded):
    """Your keys are places inside a trained head (remainders). The head is the quotient c // (C // h_trained)."""
    return dict(Counter(c % (C // h_trained) for c in _block(j, C, h_loaded)))


@misconception("channel-off-by-one")
def mixture(j, C, h_trained, h_loaded):
    """You count one channel too many: loaded head j ends just before the first channel of head j + 1."""
    block = _block(j, C, h_loaded)
    return dict(Counter(c // (C // h_trained) for c in range(block.start, block.stop + 1)))


@misconception("channel-off-by-one")
def mixture(j, C, h_trained, h_loaded):
    """You count one channel too few: range stops before its end by itself, so the end needs no - 1."""
    block = _block(j, C, h_loaded)
    return dict(Counter(c // (C // h_trained) for c in range(block.start, block.stop - 1)))


@misconception("channel-off-by-one")
def mixture(j, C, h_trained, h_loaded):
    """Shifted by one channel at the cuts: channels count from 0, so head k of size d starts at channel k * d."""
    return dict(Counter((c + 1) // (C // h_trained) for c in _block(j, C, h_loaded)))


@misconception("channel-off-by-one")
def mixture(j, C, h_trained, h_loaded):
    """Shifted by one channel at the cuts: channels count from 0, so head k of size d starts at channel k * d."""
    return dict(Counter(max(c - 1, 0) // (C // h_trained) for c in _block(j, C, h_loaded)))


@misconception("channel-one-based")
def mixture(j, C, h_trained, h_loaded):
    """The counts are right; the trained heads are named one too high. Heads are counted from 0."""
    return {head + 1: channels for head, channels in _right(j, C, h_trained, h_loaded).items()}


@misconception("channel-one-based")
def mixture(j, C, h_trained, h_loaded):
    """That is the mixture of loaded head j - 1: heads are counted from 0, so head j starts after j whole heads."""
    return _right(j - 1, C, h_trained, h_loaded)


@misconception("channel-rounded")
def mixture(j, C, h_trained, h_loaded):
    """You round up to the next trained head. A channel belongs to the head already begun: round down, with //."""
    return dict(Counter(math.ceil(c / (C // h_trained)) for c in _block(j, C, h_loaded)))


@misconception("channel-rounded")
def mixture(j, C, h_trained, h_loaded):
    """You round to the nearest trained head. A channel belongs to the head already begun: round down, with //."""
    return dict(Counter(round(c / (C // h_trained)) for c in _block(j, C, h_loaded)))


@misconception("hard-coded-head-dim")
def mixture(j, C, h_trained, h_loaded):
    """48 and 64 are the head sizes of one story. They follow from the call: C // h_trained and C // h_loaded."""
    return dict(Counter(c // 48 for c in range(64 * j, 64 * j + 64)))


@misconception("ignores-n-head")
def mixture(j, C, h_trained, h_loaded):
    """Your answer is that of 16 heads loaded as 12, whatever the call says. Use h_trained and h_loaded."""
    return dict(Counter(c // (C // 16) for c in _block(j, C, 12)))


@misconception("mixture-single-head")
def mixture(j, C, h_trained, h_loaded):
    """Loaded head j is not trained head j: with other cuts it mostly holds channels of two or more of them."""
    return {j: C // h_loaded}


@misconception("mixture-single-head")
def mixture(j, C, h_trained, h_loaded):
    """You gave every channel to the trained head of the first one. Ask for each channel of loaded head j separately."""
    return {_block(j, C, h_loaded).start // (C // h_trained): C // h_loaded}


@misconception("mixture-heads-dropped")
def mixture(j, C, h_trained, h_loaded):
    """No head is dropped: all C channels are still there, cut at other places, C // h_loaded at a time."""
    return {j: C // h_trained}


@misconception("mixture-trained-width")
def mixture(j, C, h_trained, h_loaded):
    """Your counts add up to a trained head. Loaded head j takes C // h_loaded channels, so that must be their sum."""
    start = _block(j, C, h_loaded).start
    return dict(Counter(c // (C // h_trained) for c in range(start, start + C // h_trained)))


@misconception("mixture-wrong-start")
def mixture(j, C, h_trained, h_loaded):
    """You start where trained head j starts. Loaded head j starts after j loaded heads, at j * (C // h_loaded)."""
    start = _block(j, C, h_trained).start
    return dict(Counter(c // (C // h_trained) for c in range(start, start + C // h_loaded)))


@misconception("mixture-roles-swapped")
def mixture(j, C, h_trained, h_loaded):
    """That is where trained head j ends up. Asked is the other way round: what loaded head j is made of."""
    return _right(j, C, h_loaded, h_trained)


@misconception("mixture-two-heads-only")
def mixture(j, C, h_trained, h_loaded):
    """You share the channels among exactly two trained heads. It can be one, two or more: let each channel say."""
    start, d_trained, d_loaded = _block(j, C, h_loaded).start, C // h_trained, C // h_loaded
    first = start // d_trained
    here = (first + 1) * d_trained - start
    return {first: here, first + 1: d_loaded - here}


@misconception("mixture-two-heads-only")
def mixture(j, C, h_trained, h_loaded):
    """You look at the first and last channel only. Whole trained heads may lie between them: count every channel."""
    block, d_trained = _block(j, C, h_loaded), C // h_trained
    first, last = block[0] // d_trained, block[-1] // d_trained
    here = min(block.stop, (first + 1) * d_trained) - block.start
    return {first: here} if first == last else {first: here, last: block.stop - last * d_trained}


@misconception("mixture-two-heads-only")
def mixture(j, C, h_trained, h_loaded):
    """You look at the first and last channel only. Whole trained heads may lie between them: count every channel."""
    block, d_trained = _block(j, C, h_loaded), C // h_trained
    first, last = block[0] // d_trained, block[-1] // d_trained
    here = min(block.stop, (first + 1) * d_trained) - block.start
    return {first: here} if first == last else {first: here, last: len(block) - here}


@misconception("mixture-shares")
def mixture(j, C, h_trained, h_loaded):
    """Those are shares of the loaded head. Asked is how many channels each trained head gives."""
    return {head: channels / (C // h_loaded) for head, channels in _right(j, C, h_trained, h_loaded).items()}


@misconception("mixture-shares")
def mixture(j, C, h_trained, h_loaded):
    """Those are shares of the trained heads. Asked is how many channels each of them gives."""
    return {head: channels / (C // h_trained) for head, channels in _right(j, C, h_trained, h_loaded).items()}


@misconception("contract-mixture-not-counts")
def mixture(j, C, h_trained, h_loaded):
    """You list the channels themselves. Asked is how many there are from each trained head."""
    found = {}
    for c in _block(j, C, h_loaded):
        found.setdefault(c // (C // h_trained), []).append(c)
    return found


@misconception("contract-mixture-not-counts")
def mixture(j, C, h_trained, h_loaded):
    """The counts are right but came back as floats. Channels are counted in whole numbers."""
    return {head: float(channels) for head, channels in _right(j, C, h_trained, h_loaded).items()}


@misconception("contract-mixture-zeros")
def mixture(j, C, h_trained, h_loaded):
    """The counts are right, but trained heads that give nothing to head j should be left out."""
    return {head: _right(j, C, h_trained, h_loaded).get(head, 0) for head in range(h_trained)}


@misconception("contract-mixture-not-dict")
def mixture(j, C, h_trained, h_loaded):
    """The counts are right but came back as pairs. Return them as a dict {trained head: channels}."""
    return list(_right(j, C, h_trained, h_loaded).items())


@misconception("contract-mixture-not-dict")
def mixture(j, C, h_trained, h_loaded):
    """The counts are there, but nothing says which trained head they belong to. Return {trained head: channels}."""
    return list(_right(j, C, h_trained, h_loaded).values())


@misconception("contract-mixture-not-dict")
def mixture(j, C, h_trained, h_loaded):
    """You name the trained heads without saying how many channels each gives. Return {trained head: channels}."""
    return list(_right(j, C, h_trained, h_loaded))


@misconception("contract-mixture-not-dict")
def mixture(j, C, h_trained, h_loaded):
    """You return one entry per trained head, zeros included. Return {trained head: channels} of those that occur."""
    return [_right(j, C, h_trained, h_loaded).get(head, 0) for head in range(h_trained)]


@misconception("contract-mixture-not-dict")
def mixture(j, C, h_trained, h_loaded):
    """You return the trained head of every channel. Count them: {trained head: channels}."""
    return [c // (C // h_trained) for c in _block(j, C, h_loaded)]
