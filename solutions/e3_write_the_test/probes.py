"""Implementations of multi-head attention for check to judge: right ones and wrong ones, which never leave the grader.

Every probe mixes several rounds of a wrong implementation with right ones, in an order that is drawn: a check that
refuses at random, or that counts its calls, gets nowhere. All wrong ones give the right shape for all inputs.
"""

import builtins
import math
from functools import partial

import numpy as np

from autograder.records import Probe

MOST_WIDE, MOST_NUMBERS, MOST_SCORES = 768, 1 << 16, 1 << 18


# The right one, in steps; `visible` and the others are where a bug comes in


def attention(x, qkv_weight, out_weight, n_heads, *, visible=0, order=(0, 1, 2), inner=None, **steps):
    """Causal multi-head attention; with `inner` in another precision."""
    do = STEPS | steps
    came_in = x.dtype
    x, qkv_weight, out_weight = (each.astype(inner or each.dtype) for each in (x, qkv_weight, out_weight))
    T, C = x.shape[1:]
    thirds = np.split(qkv_weight, 3)
    q, k, v = (do["split"](x @ thirds[which].T, n_heads) for which in order)  # each (B, h, T, d)
    scores = q @ k.swapaxes(-2, -1) / do["divisor"](C, n_heads)  # (B, h, T, T)
    scores = np.where(np.tri(T, k=visible, dtype=bool), scores, -np.inf)
    weights = do["softmax"](scores.astype(q.dtype))
    y = do["merge"](weights @ v)  # (B, T, C)
    return do["project"](y, out_weight).astype(came_in)


def split(t, n_heads):
    B, T, _C = t.shape
    return t.reshape(B, T, n_heads, -1).swapaxes(1, 2)


def merge(y):
    B, h, T, d = y.shape
    return y.swapaxes(1, 2).reshape(B, T, h * d)


def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


STEPS = {
    "split": split,
    "merge": merge,
    "softmax": softmax,
    "divisor": lambda C, h: math.sqrt(C // h),
    "project": lambda y, out_weight: y @ out_weight.T,
}


def mirrored(x, qkv_weight, out_weight, n_heads):
    """The same sums in the opposite order: right, with other last digits."""
    return attention(x[..., ::-1], qkv_weight[:, ::-1], out_weight, n_heads)


RIGHT = (attention, partial(attention, inner=np.float64), mirrored)


# The wrong ones


def straight_split(t, n_heads):
    B, T, _C = t.shape
    return t.reshape(B, n_heads, T, -1)


def straight_merge(y):
    B, h, T, d = y.shape
    return y.reshape(B, T, h * d)


def dealt_split(t, n_heads):
    B, T, _C = t.shape
    return t.reshape(B, T, -1, n_heads).transpose(0, 3, 1, 2)


def dealt_merge(y):
    B, h, T, d = y.shape
    return y.transpose(0, 2, 3, 1).reshape(B, T, h * d)


HIDDEN = {
    "future": partial(attention, visible=1),
    "scale": partial(attention, divisor=lambda C, h: math.sqrt(C)),
    "split": partial(attention, split=straight_split, merge=straight_merge),
    "merge": partial(attention, merge=straight_merge),
    "softmax": partial(attention, softmax=partial(softmax, axis=-2)),
    "weights": partial(attention, order=(1, 0, 2)),
    "heads": partial(attention, split=dealt_split, merge=dealt_merge),
}


def shown(rng: np.random.Generator):
    no_mask = partial(attention, visible=1 << 20)
    yield _probe(
        "no_mask",
        "future",
        "every token sees the whole future; a wrong one comes first, so that nobody takes the first for a model",
        "one without a mask",
        [no_mask, *_shuffled(rng, no_mask)],
        no_mask,
    )
    yield _probe("right", "accepts", "they differ in their last digits", "right ones", _shuffled(rng))
    no_scale = partial(attention, divisor=lambda C, h: 1)
    yield _mixed(rng, "no_scale", "scale", "every pattern is too sharp", "one that does not scale", no_scale)
    no_output = partial(attention, project=lambda y, out_weight: y)
    yield _mixed(rng, "no_output", "weights", "the heads are never mixed", "one without out_weight", no_output)


def hidden(rng: np.random.Generator):
    yield _probe("right_again", "accepts", "the same in another order", "hidden ones", _shuffled(rng))
    for check, wrong in HIDDEN.items():
        yield _mixed(rng, f"wrong_{check}", check, "one of the seven, between right ones", "hidden ones", wrong)


def _mixed(rng, name, check, why, mha, wrong):
    return _probe(name, check, why, mha, _shuffled(rng, wrong, wrong), wrong)


def _shuffled(rng, *others):
    rounds = [*RIGHT, *others] if others else [*RIGHT, *RIGHT]
    return [rounds[place] for place in rng.permutation(len(rounds))]


def _probe(name, check, why, mha, rounds, wrong=None):
    return Probe(
        name=name,
        check=check,
        why=why,
        inputs={"mha": mha, "rounds": len(rounds)},
        callbacks={"mha": partial(answer, rounds)},
        measure=partial(judged, [each is wrong for each in rounds]),
    )


# How they are called


def answer(rounds, number, x, qkv_weight, out_weight, n_heads):
    """One call of mha. What it is given was chosen by a submission; ValueErrors are for its author."""
    _require_fitting(x, qkv_weight, out_weight, n_heads)
    with np.errstate(all="ignore"):
        return rounds[number](*(np.asarray(each, _precision(each)) for each in (x, qkv_weight, out_weight)), n_heads)


def _precision(array):
    return np.float64 if array.dtype == np.float64 else np.float32


def _require_fitting(x, qkv_weight, out_weight, n_heads):
    for name, given in {"x": x, "qkv_weight": qkv_weight, "out_weight": out_weight}.items():
        if not isinstance(given, np.ndarray) or given.dtype.kind != "f":
            kind = f"whole numbers ({given.dtype})" if isinstance(given, np.ndarray) else type(given).__name__
            raise ValueError(f"{name} has to be a tensor or an array of floats, not {kind}")
    if x.ndim != 3 or 0 in x.shape:
        raise ValueError(f"x has to be (B, T, C), with at least one of each, not {x.shape}")
    B, T, C = x.shape
    if qkv_weight.shape != (3 * C, C):
        raise ValueError(f"x has C = {C} channels, so qkv_weight has to be {(3 * C, C)}, not {qkv_weight.shape}")
    if out_weight.shape != (C, C):
        raise ValueError(f"x has C = {C} channels, so out_weight has to be {(C, C)}, not {out_weight.shape}")
    if type(n_heads) is not int or n_heads < 1 or C % n_heads:
        raise ValueError(f"n_heads has to be a whole number that divides C = {C}, not {n_heads!r}")
    if C > MOST_WIDE or B * T * C > MOST_NUMBERS or B * n_heads * T * T > MOST_SCORES:
        most = f"C up to {MOST_WIDE}, B * T * C up to {MOST_NUMBERS:,}, B * n_heads * T * T up to {MOST_SCORES:,}"
        raise ValueError(f"that is too much for one call: a test needs {most}")


# What check said, in words


def judged(wrong, inputs, parts):
    """The rest of the sentence about the rounds of one probe; nothing where all of them were judged right."""
    said = [str(verdict) for verdict in parts["verdicts"]]
    right_ones = [verdict for verdict, is_wrong in zip(said, wrong, strict=True) if not is_wrong]
    wrong_ones = [verdict for verdict, is_wrong in zip(said, wrong, strict=True) if is_wrong]
    crashes = [verdict for verdict in said if verdict not in ("accepted", "refused", "returned")]
    let_through = [verdict for verdict in wrong_ones if verdict != "refused"]
    if crashes:
        known = isinstance(getattr(builtins, crashes[0], None), type)
        kind = crashes[0] if known else "an exception of its own"
        return {"verdict": f"stopped with {kind}, where only an AssertionError counts as a refusal"}
    if right_ones.count("refused") == len(right_ones):
        instead = " and accepts the wrong one" if let_through else ""
        return {"verdict": "refuses right implementations" + instead}
    if "refused" in right_ones:
        return {"verdict": "refuses a right implementation one time and accepts one another time"}
    if len(let_through) < len(wrong_ones) and let_through:
        return {"verdict": "lets a wrong implementation pass one time and catches it another time"}
    if let_through:
        returned = "returned" in let_through
        reason = "it returned a value where it should raise" if returned else _reason(parts["asked"])
        return {"verdict": "lets a wrong implementation pass" + (f": {reason}" if reason else "")}
    return {"verdict": ""}


def _reason(asked):
    """A fact about the calls that can hide bugs, if there is one."""
    facts = {
        "it never called mha": asked["calls"] < 1,
        "no sequence it tried is longer than one token": asked["tokens"] == 1,
        "it never asked for more than one head": asked["heads"] == 1,
        "the tokens of every sequence it tried are all alike": asked["alike"],
        "its numbers are so large that nearly every token looks at a single one": asked["smallest"] > 60,
        "its numbers are so small that all visible tokens weigh nearly the same": asked["largest"] < 0.02,
        "every out_weight it tried is its own transpose": asked["symmetric"],
        "queries, keys and values never had weights of their own": asked["same_thirds"],
    }
    return next((fact for fact, holds in facts.items() if holds), "")
