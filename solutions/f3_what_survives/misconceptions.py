"""Wrong answers about what survives that are worth naming. The docstring of each is what its author hears."""

import torch

from autograder.course import misconception

_right = surviving_positions  # noqa: F821 - the model answer stands above this file when a wrong answer runs


def _logits(model_a, model_b, tokens):
    with torch.no_grad():
        return model_a(tokens)[0], model_b(tokens)[0]


def _agree(a, b, tolerance=1e-4):
    return torch.isclose(a, b, rtol=tolerance, atol=tolerance)


def _list(agree):
    return agree.nonzero().flatten().tolist()


@misconception("survivors-not-measured")
def surviving_positions(model_a, model_b, tokens):
    """You answer [0] whatever the models are. That is the answer for one pair of them: run both and compare."""
    return [0]


@misconception("survivors-not-measured")
def surviving_positions(model_a, model_b, tokens):
    """You say that nothing survives without comparing: position 0 has only itself to look at and comes out right."""
    return []


@misconception("survivors-not-measured")
def surviving_positions(model_a, model_b, tokens):
    """You name the last position whatever the models are. It sees the most tokens, so it is the first to suffer."""
    return [tokens.shape[1] - 1]


@misconception("survivors-not-measured")
def surviving_positions(model_a, model_b, tokens):
    """You name every second position whatever the models are. How heads are cut has nothing to do with odd and even."""
    return list(range(0, tokens.shape[1], 2))


@misconception("survivors-everywhere", proves="family")
def surviving_positions(model_a, model_b, tokens):
    """For you all positions agree, whatever the models are. Is one model compared with itself, or is the tolerance so
    wide that everything fits in?"""
    return list(range(tokens.shape[1]))


@misconception("survivors-alone")
def surviving_positions(model_a, model_b, tokens):
    """You ran tokens on their own. A single token looks only at itself, so nothing can differ: run the whole sequence
    at once."""
    alone = [_agree(*_logits(model_a, model_b, tokens[:, t : t + 1])).all() for t in range(tokens.shape[1])]
    return _list(torch.stack(alone))


@misconception("survivors-alone")
def surviving_positions(model_a, model_b, tokens):
    """You looked at one token only and concluded for all. One token looks only at itself: run the whole sequence."""
    alone = _agree(*_logits(model_a, model_b, tokens[:, :1])).all()
    return list(range(tokens.shape[1])) if alone else []


@misconception("survivors-bitwise")
def surviving_positions(model_a, model_b, tokens):
    """Your comparison is tighter than rounding: == asks for the last bit, and torch.allclose for nearly that of logits
    close to 0 (its atol is 1e-8). The same sum in another order differs there: atol=1e-4 is plenty."""
    a, b = _logits(model_a, model_b, tokens)
    return _list((a == b).all(dim=-1))


@misconception("survivors-bitwise")
def surviving_positions(model_a, model_b, tokens):
    """torch.allclose and isclose ask for nearly all digits of logits close to 0, as their atol is 1e-8. The same sum in
    another order differs there: atol=1e-4 is plenty."""
    a, b = _logits(model_a, model_b, tokens)
    return _list(torch.isclose(a, b).all(dim=-1))


@misconception("survivors-loose-tolerance")
def surviving_positions(model_a, model_b, tokens):
    """Your tolerance is far wider than rounding, so damaged positions pass as well. 1e-4 is plenty for float32."""
    return _list(_agree(*_logits(model_a, model_b, tokens), tolerance=1.0).all(dim=-1))


@misconception("survivors-loose-tolerance")
def surviving_positions(model_a, model_b, tokens):
    """Your tolerance is wider than rounding, so faint damage passes as well. 1e-4 is plenty for float32."""
    return _list(_agree(*_logits(model_a, model_b, tokens), tolerance=0.1).all(dim=-1))


@misconception("survivors-stop-at-first")
def surviving_positions(model_a, model_b, tokens):
    """You stop at the first position that differs. Later ones may agree again: look at every position."""
    kept = _right(model_a, model_b, tokens)
    return kept[: next((place for place, t in enumerate(kept) if t != place), len(kept))]


@misconception("survivors-signed-difference")
def surviving_positions(model_a, model_b, tokens):
    """You add up the differences of a position before you look at their size, and up and down cancel. Take absolute
    values first."""
    a, b = _logits(model_a, model_b, tokens)
    return _list((a - b).sum(dim=-1).abs() < 1e-3)


@misconception("survivors-signed-difference")
def surviving_positions(model_a, model_b, tokens):
    """You take the mean of the differences before you look at their size, and up and down cancel. Take absolute values
    first."""
    a, b = _logits(model_a, model_b, tokens)
    return _list((a - b).mean(dim=-1).abs() < 1e-4)


@misconception("survivors-on-average")
def surviving_positions(model_a, model_b, tokens):
    """You average the differences of a position, and one damaged logit drowns among good ones. Take the largest."""
    a, b = _logits(model_a, model_b, tokens)
    return _list((a - b).abs().mean(dim=-1) < 1e-2)


@misconception("survivors-by-guess")
def surviving_positions(model_a, model_b, tokens):
    """You compare the likeliest token. It often stays the same while the logits move: compare all of them."""
    a, b = _logits(model_a, model_b, tokens)
    return _list(a.argmax(dim=-1) == b.argmax(dim=-1))


@misconception("survivors-any-logit")
def surviving_positions(model_a, model_b, tokens):
    """One logit in agreement is enough for you. A position survives when all of its logits do: all, not any."""
    return _list(_agree(*_logits(model_a, model_b, tokens), tolerance=1e-2).any(dim=-1))


@misconception("survivors-any-logit")
def surviving_positions(model_a, model_b, tokens):
    """One logit in agreement is enough for you. A position survives when all of its logits do: all, not any."""
    return _list(_agree(*_logits(model_a, model_b, tokens), tolerance=1e-4).any(dim=-1))


@misconception("survivors-any-logit")
def surviving_positions(model_a, model_b, tokens):
    """You compare the first logit only. A position survives when all V of them agree."""
    a, b = _logits(model_a, model_b, tokens)
    return _list(_agree(a, b, tolerance=0.1)[:, 0])


@misconception("survivors-signed-difference")
def surviving_positions(model_a, model_b, tokens):
    """You forgot the absolute value: a difference below zero is a difference too."""
    a, b = _logits(model_a, model_b, tokens)
    return _list((a - b).mean(dim=-1) < 1e-4)


@misconception("survivors-any-logit")
def surviving_positions(model_a, model_b, tokens):
    """You compare the first logit only. A position survives when all V of them agree."""
    a, b = _logits(model_a, model_b, tokens)
    return _list(_agree(a, b, tolerance=1e-4)[:, 0])


@misconception("survivors-as-chances")
def surviving_positions(model_a, model_b, tokens):
    """You compare the chances. A chance near 0 hides a wrong logit behind it: compare the logits themselves."""
    a, b = _logits(model_a, model_b, tokens)
    return _list(_agree(a.softmax(dim=-1), b.softmax(dim=-1), tolerance=1e-4).all(dim=-1))


@misconception("survivors-inverted")
def surviving_positions(model_a, model_b, tokens):
    """Those are the positions that differ. Asked are the ones that agree."""
    kept = _right(model_a, model_b, tokens)
    return [t for t in range(tokens.shape[1]) if t not in kept]


@misconception("survivors-one-based")
def surviving_positions(model_a, model_b, tokens):
    """Every position is one too high: the first token stands at position 0."""
    return [t + 1 for t in _right(model_a, model_b, tokens)]


@misconception("survivors-as-mask")
def surviving_positions(model_a, model_b, tokens):
    """That is True or False for each position. Asked are the positions themselves, as a list of whole numbers."""
    kept = _right(model_a, model_b, tokens)
    return [t in kept for t in range(tokens.shape[1])]


@misconception("survivors-as-mask")
def surviving_positions(model_a, model_b, tokens):
    """You count the survivors. Asked is which positions they are."""
    return len(_right(model_a, model_b, tokens))


@misconception("survivors-batch-axis")
def surviving_positions(model_a, model_b, tokens):
    """The batch axis is still there, so positions come in pairs (sequence, position): take sequence 0 first."""
    with torch.no_grad():
        return _agree(model_a(tokens), model_b(tokens)).all(dim=-1).nonzero().tolist()


@misconception("reason-same-channels")
def why_it_survives():
    """The head of channels 48 .. 63 differs, and they are part of every token. Ask what a token does with its one
    softmax weight."""
    return "A"


@misconception("reason-small-scores")
def why_it_survives():
    """The score of position 0 with itself can be as large as any. What happens to it in a softmax of one entry?"""
    return "B"


@misconception("reason-residual-only")
def why_it_survives():
    """Attention adds a lot there: the values of the token itself, all of them. Look at its row of weights."""
    return "D"
