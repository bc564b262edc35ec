"""Wrong ways to measure a model and to read the measurement. The docstring is the sentence its author hears."""

import math

import torch
from torch.nn import functional as F

from autograder.course import misconception

_right = recover_n_head_from_loss  # noqa: F821 - the model answer stands above this file when a wrong answer runs
_right_losses = copy_losses  # noqa: F821


def _divisors(state_dict):
    C = state_dict["tok.weight"].shape[1]
    return [n for n in range(1, C + 1) if C % n == 0]


def _logits(build, state_dict, tokens, n_head):
    model = build(n_head)
    model.load_state_dict(state_dict)
    with torch.no_grad():
        return model(tokens)


def _each(build, state_dict, tokens, measured):
    """What `measured(logits)` says for every head count."""
    return {n: float(measured(_logits(build, state_dict, tokens, n))) for n in _divisors(state_dict)}


def _between(tokens, first, last=None):
    """The mean loss of the tokens at positions first .. last - 1."""

    def measured(logits):
        said, came = logits[:, :-1][:, first - 1 : (last or tokens.shape[1]) - 1], tokens[:, first:last]
        return F.cross_entropy(said.flatten(0, 1), came.flatten())

    return measured


def _accuracy(tokens):
    H = tokens.shape[1] // 2
    return lambda logits: (logits[:, H - 1 : -1].argmax(dim=-1) == tokens[:, H:]).float().mean()


# What is measured wrongly may also make the worst head count look best. Then recover_n_head_from_loss answers as if it
# had picked the largest loss, and both names stand for the one thought.


@misconception("behaviour-accuracy")
def copy_losses(build, state_dict, tokens):
    """That is the share of right guesses. Several head counts guess nearly everything right; how sure they are tells
    them apart, and that is the cross entropy."""
    return _each(build, state_dict, tokens, _accuracy(tokens))


@misconception("behaviour-accuracy")
def copy_losses(build, state_dict, tokens):
    """That is the share of wrong guesses. Several head counts guess nearly everything right; how sure they are tells
    them apart, and that is the cross entropy."""
    return {n: 1 - share for n, share in _each(build, state_dict, tokens, _accuracy(tokens)).items()}


@misconception("behaviour-unpredictable")
def copy_losses(build, state_dict, tokens):
    """You average over all positions. The first half is random, so its loss is noise that drowns the rest: take the
    second half only."""
    return _each(build, state_dict, tokens, _between(tokens, 1))


@misconception("behaviour-unpredictable")
def copy_losses(build, state_dict, tokens):
    """You measure what nobody can predict: the first half, or the second one shown alone, which is a first half to the
    model. Show it both and measure the second."""
    return _each(build, state_dict, tokens, _between(tokens, 1, tokens.shape[1] // 2))


@misconception("behaviour-half-off-by-one")
def copy_losses(build, state_dict, tokens):
    """You leave out the first letter of the copy. The logits at position H - 1 are about it, so start there."""
    return _each(build, state_dict, tokens, _between(tokens, tokens.shape[1] // 2 + 1))


@misconception("behaviour-half-off-by-one")
def copy_losses(build, state_dict, tokens):
    """You start one letter too early: the one at H - 1 is still random. The copy begins at position H."""
    return _each(build, state_dict, tokens, _between(tokens, tokens.shape[1] // 2 - 1))


@misconception("behaviour-half-off-by-one")
def copy_losses(build, state_dict, tokens):
    """You leave out the last letter of the copy: tokens[:, H:] has no end to cut off, the logits have."""
    return _each(build, state_dict, tokens, _between(tokens, tokens.shape[1] // 2, tokens.shape[1] - 1))


@misconception("behaviour-not-shifted")
def copy_losses(build, state_dict, tokens):
    """You compare the logits at a position with the token at the same position. They are about the next one."""
    H = tokens.shape[1] // 2
    return _each(build, state_dict, tokens, lambda y: F.cross_entropy(y[:, H:].flatten(0, 1), tokens[:, H:].flatten()))


@misconception("behaviour-position-zero")
def copy_losses(build, state_dict, tokens):
    """You look at position 0, which attends to itself alone: it is the same for every head count."""
    return _each(build, state_dict, tokens, _between(tokens, 1, 2))


@misconception("behaviour-untrained")
def copy_losses(build, state_dict, tokens):
    """The state dict is never loaded, so you measured random weights: model.load_state_dict(state_dict)."""
    measured = _between(tokens, tokens.shape[1] // 2)
    with torch.no_grad():
        return {n: measured(build(n)(tokens)).item() for n in _divisors(state_dict)}


@misconception("behaviour-not-averaged")
def copy_losses(build, state_dict, tokens):
    """Those are sums. Divide by the number of letters, or the loss grows with the number of sequences."""
    letters = tokens.numel() // 2
    return {n: letters * loss for n, loss in _right_losses(build, state_dict, tokens).items()}


@misconception("behaviour-not-averaged")
def copy_losses(build, state_dict, tokens):
    """You add up the letters of a sequence and average over sequences only. Average over the letters as well."""
    return {n: tokens.shape[1] // 2 * loss for n, loss in _right_losses(build, state_dict, tokens).items()}


@misconception("behaviour-softmax-twice")
def copy_losses(build, state_dict, tokens):
    """You gave chances to cross_entropy, which takes logits and does the softmax itself."""
    measured = _between(tokens, tokens.shape[1] // 2)
    return _each(build, state_dict, tokens, lambda logits: measured(logits.softmax(dim=-1)))


@misconception("behaviour-softmax-twice")
def copy_losses(build, state_dict, tokens):
    """You compared logits as if they were log chances: without a log_softmax they do not add up to anything."""
    H = tokens.shape[1] // 2
    picked = lambda y: -y[:, H - 1 : -1].gather(-1, tokens[:, H:, None]).mean()
    return _each(build, state_dict, tokens, picked)


@misconception("behaviour-other-unit")
def copy_losses(build, state_dict, tokens):
    """That is the perplexity, e to the loss. Asked is the loss itself, in nats."""
    return {n: math.exp(loss) for n, loss in _right_losses(build, state_dict, tokens).items()}


@misconception("behaviour-other-unit")
def copy_losses(build, state_dict, tokens):
    """Those are bits, with the logarithm to base 2. Asked are nats."""
    return {n: loss / math.log(2) for n, loss in _right_losses(build, state_dict, tokens).items()}


@misconception("behaviour-other-unit")
def copy_losses(build, state_dict, tokens):
    """The sign is missing: a loss is minus the log of a chance, so it is never below 0."""
    return {n: -loss for n, loss in _right_losses(build, state_dict, tokens).items()}


@misconception("recover-few-candidates")
def copy_losses(build, state_dict, tokens):
    """You try 12 and 16 only. Any number that divides the width may be the head count."""
    return {n: loss for n, loss in _right_losses(build, state_dict, tokens).items() if n in (12, 16)}


@misconception("recover-few-candidates")
def copy_losses(build, state_dict, tokens):
    """You try powers of two only. Any number that divides the width may be the head count, 3 and 12 among them."""
    return {n: loss for n, loss in _right_losses(build, state_dict, tokens).items() if n & (n - 1) == 0}


@misconception("recover-few-candidates")
def copy_losses(build, state_dict, tokens):
    """Your search leaves out an end: a single head, and as many heads as channels, are head counts as well."""
    losses = _right_losses(build, state_dict, tokens)
    return {n: losses[n] for n in _divisors(state_dict)[:-1]}


@misconception("recover-few-candidates")
def copy_losses(build, state_dict, tokens):
    """Your search leaves out an end: a single head, and as many heads as channels, are head counts as well."""
    losses = _right_losses(build, state_dict, tokens)
    return {n: losses[n] for n in _divisors(state_dict)[1:]}


@misconception("recover-few-candidates")
def copy_losses(build, state_dict, tokens):
    """Your search leaves out both ends: a single head, and as many heads as channels, are head counts as well."""
    losses = _right_losses(build, state_dict, tokens)
    return {n: losses[n] for n in _divisors(state_dict)[1:-1]}


@misconception("recover-all-integers", proves="name")
def copy_losses(build, state_dict, tokens):
    """You try every number, and 5 heads cannot be cut out of 48 channels: only numbers that divide the width count."""
    for n in range(1, 49):
        build(n)
    return _right_losses(build, state_dict, tokens)


@misconception("recover-head-size")
def copy_losses(build, state_dict, tokens):
    """Your keys are the sizes of a head. Asked are the numbers of heads."""
    C = state_dict["tok.weight"].shape[1]
    return {C // n: loss for n, loss in _right_losses(build, state_dict, tokens).items()}


@misconception("recover-few-candidates")
def recover_n_head_from_loss(build, state_dict, tokens):
    """You choose between 12 and 16 only. Any number that divides the width may be the head count."""
    losses = _right_losses(build, state_dict, tokens)
    return min((12, 16), key=losses.get)


@misconception("recover-few-candidates")
def recover_n_head_from_loss(build, state_dict, tokens):
    """You try powers of two only. Any number that divides the width may be the head count, 3 and 12 among them."""
    losses = _right_losses(build, state_dict, tokens)
    return min((n for n in losses if n & (n - 1) == 0), key=losses.get)


@misconception("behaviour-always-sixteen")
def recover_n_head_from_loss(build, state_dict, tokens):
    """You answer 16, whatever the model is. The story had 16 heads, this model may have others: measure."""
    return 16


@misconception("behaviour-always-sixteen")
def recover_n_head_from_loss(build, state_dict, tokens):
    """You answer 12, whatever the model is. A number of heads is not a habit of models: measure."""
    return 12


@misconception("behaviour-largest-loss")
def recover_n_head_from_loss(build, state_dict, tokens):
    """You take the head count with the largest loss. A loss is small where the model is right."""
    losses = _right_losses(build, state_dict, tokens)
    return max(losses, key=losses.get)


@misconception("behaviour-accuracy")
def recover_n_head_from_loss(build, state_dict, tokens):
    """You go by the share of right guesses, and took the first of several head counts that guess everything right. How
    sure a model is tells them apart: take the loss."""
    shares = _each(build, state_dict, tokens, _accuracy(tokens))
    return max(shares, key=shares.get)


@misconception("recover-head-size")
def recover_n_head_from_loss(build, state_dict, tokens):
    """That is the size of a head. Asked is how many heads there are: the width divided by it."""
    return state_dict["tok.weight"].shape[1] // _right(build, state_dict, tokens)


@misconception("behaviour-returns-the-loss")
def recover_n_head_from_loss(build, state_dict, tokens):
    """That is the smallest loss itself. Asked is the head count it belongs to: the key, not the value."""
    return min(_right_losses(build, state_dict, tokens).values())


@misconception("behaviour-returns-the-loss")
def recover_n_head_from_loss(build, state_dict, tokens):
    """That is the place in the list of candidates. Asked is the head count that stands there."""
    losses = list(_right_losses(build, state_dict, tokens).values())
    return losses.index(min(losses))


@misconception("behaviour-smallest-key")
def recover_n_head_from_loss(build, state_dict, tokens):
    """You take the smallest key, and 1 is always that. Tell min to look at the losses: min(losses, key=losses.get)."""
    return min(_right_losses(build, state_dict, tokens))
