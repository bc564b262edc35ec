"""Attention layers without their head count. The outputs are made here, so no worker ever sees how."""

import numpy as np

from autograder.records import Probe


def shown(rng: np.random.Generator):
    yield Probe(
        name="sixteen",
        check="found",
        why="16 heads of 3: powers of two, and far from the 12 that everybody tries first",
        inputs=_asked(*_layer(rng, C=48), _tokens(rng, 20, 48), h=16),
        measure=found,
    )
    yield Probe(
        name="three",
        check="found",
        why="an odd head count at a width that 16 does not divide",
        inputs=_asked(*_layer(rng, C=24), _tokens(rng, 40, 24), h=3),
        measure=found,
        safety="the others catch as much; a head count that is odd and no extreme",
    )
    yield Probe(
        name="one_big_head",
        check="found",
        why="one head is a head count as well",
        inputs=_asked(*_layer(rng, C=20), _tokens(rng, 40, 20), h=1),
        measure=found,
    )
    yield Probe(
        name="whole_numbers",
        check="found",
        why="whole numbers, and scores so far apart that every weight is 0 or 1: nothing has to be rounded",
        inputs=_exact(rng, T=6, C=12, h=3),
        measure=found,
    )
    qkv, out = _layer(rng, C=24)
    yield Probe(
        name="quiet",
        check="found",
        why="outputs of about a thousandth: a tolerance has to be small beside what it compares",
        inputs=_asked(qkv, out / 500, _tokens(rng, 5, 24), h=6),
        measure=found,
    )
    yield Probe(
        name="one_token",
        check="undecided",
        why="T=1: a token that attends to itself alone tells nothing; 23 channels have two head counts, and both fit",
        inputs=_asked(*_layer(rng, C=23), _tokens(rng, 1, 23), h=23),
        ordinary=False,
        measure=decided,
    )
    qkv, out = _layer(rng, C=24)
    x = _tokens(rng, 5, 24)
    yield _spoilt(rng, "one_number_off", _asked(qkv, out, x, h=8))
    yield Probe(
        name="another_layer",
        check="undecided",
        why="an output of other weights: no head count explains it",
        inputs={"qkv_weight": qkv, "out_weight": out, "x": x, "y": _attention(*_layer(rng, C=24), x, 4)},
        ordinary=False,
        measure=decided,
    )


def hidden(rng: np.random.Generator):
    drawn = int(rng.choice([2, 4, 6, 8, 12, 24, 32]))
    yield Probe(
        name="drawn",
        check="found",
        why="a head count that nobody could have prepared for",
        inputs=_asked(*_layer(rng, C=96), _tokens(rng, 10, 96), h=drawn),
        measure=found,
    )
    qkv, out = _layer(rng, C=18)
    yield Probe(
        name="heads_of_one",
        check="found",
        why="as many heads as channels, and only two tokens, the fewest that can tell",
        inputs=_asked(qkv, out / 500, 2 * _tokens(rng, 2, 18), h=18),
        measure=found,
    )
    yield _spoilt(rng, "another_number_off", _asked(*_layer(rng, C=12), _tokens(rng, 7, 12), h=2))
    qkv, out = _layer(rng, C=24)
    qkv[:24] = 0.0
    yield Probe(
        name="no_questions",
        check="undecided",
        why="queries that are all zero: every head averages evenly, however many there are",
        inputs=_asked(qkv, out, _tokens(rng, 5, 24), h=4),
        ordinary=False,
        measure=decided,
    )


def found(inputs, parts):
    """What was done, as the driver says it; any number that no layer of this width can have is the same."""
    did = parts["found"]
    number = [int(word) for word in did.split() if word.lstrip("-").isdigit()]
    legal = not number or (number[0] > 0 and inputs["x"].shape[-1] % number[0] == 0)
    return {"found": did if legal else "finds a number of heads into which the width cannot be cut"}


def decided(inputs, parts):
    """The same where nothing can be told: all numbers that a layer could have are one and the same mistake."""
    did = found(inputs, parts)["found"]
    return {"found": "answers with one head count, where several fit or none does" if did.endswith("heads") else did}


def _layer(rng, C: int):
    """Weights large enough that heads look at different tokens and no two head counts come close."""
    return (
        (1.5 / C**0.5 * rng.standard_normal((3 * C, C))).astype(np.float32),
        (1.0 / C**0.5 * rng.standard_normal((C, C))).astype(np.float32),
    )


def _tokens(rng, T: int, C: int):
    return rng.standard_normal((1, T, C)).astype(np.float32)


def _exact(rng, T: int, C: int, h: int):
    """A layer of whole numbers, with heads of 4 or 16: equal scores apart, two of one row differ by 128 or more."""
    qkv = rng.integers(-3, 4, (3 * C, C)).astype(np.float32)
    qkv[:C] *= 128 * (C / h) ** 0.5
    out = rng.integers(-3, 4, (C, C)).astype(np.float32)
    return _asked(qkv, out, rng.integers(-2, 3, (1, T, C)).astype(np.float32), h)


def _spoilt(rng, name: str, asked):
    """The same question with one number of y changed, neither at the first nor at the last token or channel."""
    y = asked["y"].copy()
    place = 0, int(rng.integers(1, y.shape[1] - 1)), int(rng.integers(1, y.shape[2] - 1))
    y[place] += 1.0
    why = "an output that is right but for one number: a head count explains all of it or it does not fit"
    return Probe(name=name, check="undecided", why=why, inputs=asked | {"y": y}, ordinary=False, measure=decided)


def _asked(qkv, out, x, h: int):
    return {"qkv_weight": qkv, "out_weight": out, "x": x, "y": _attention(qkv, out, x, h)}


def _attention(qkv, out, x, h: int):
    """Causal attention of x (1, T, C) with h heads, computed in double precision."""
    _, T, C = x.shape
    q, k, v = (part.reshape(T, h, -1).swapaxes(0, 1) for part in np.split(x[0] @ qkv.T.astype(np.float64), 3, axis=1))
    scores = np.where(np.tri(T, dtype=bool), q @ k.swapaxes(1, 2) / (C // h) ** 0.5, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = weights / weights.sum(axis=-1, keepdims=True) @ v  # (h, T, d)
    return (mixed.swapaxes(0, 1).reshape(1, T, C) @ out.T).astype(np.float32)
