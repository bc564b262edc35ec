"""Implementations of multi-head attention for check to judge: right ones and wrong ones, which never leave the grader.

Every probe of a bug mixes rounds of it with right ones, in an order that is drawn: a check that refuses at random, or
that counts its calls, gets nowhere. Nor does one that compares the rounds with each other: each has to be judged before
the next one answers, the first is a wrong one, and nothing is remembered from one hidden probe to the next. A check
that takes the first for a model accepts the bug; one that mistrusts the first refuses a right one where there is no
bug. All wrong ones give the right shape for all inputs.
"""

import builtins
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from autograder.records import Probe

MOST_WIDE, MOST_NUMBERS, MOST_SCORES, MOST_LETTERS = 768, 1 << 16, 1 << 18, 100


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


@dataclass(frozen=True, eq=False)
class Bug:
    """A wrong implementation, and the facts about the calls of a check that can hide it."""

    implementation: Callable[..., Any]
    hidden_by: tuple[str, ...]


HIDDEN = {
    "future": Bug(partial(attention, visible=1), ("one token", "alike")),
    "scale": Bug(
        partial(attention, divisor=lambda C, h: math.sqrt(C)), ("one token", "one head", "alike", "large", "small")
    ),
    "split": Bug(partial(attention, split=straight_split, merge=straight_merge), ("one token", "one head")),
    "merge": Bug(partial(attention, merge=straight_merge), ("one token", "one head")),
    "softmax": Bug(partial(attention, softmax=partial(softmax, axis=-2)), ("one token",)),
    "weights": Bug(partial(attention, order=(1, 0, 2)), ("one token", "alike", "same thirds", "small")),
    "heads": Bug(
        partial(attention, split=dealt_split, merge=dealt_merge),
        ("one token", "one head", "one channel", "alike", "small"),
    ),
}
NO_MASK = Bug(partial(attention, visible=1 << 20), ("one token", "alike"))
NO_SCALE = Bug(partial(attention, divisor=lambda C, h: 1), ("one token", "one channel", "alike", "large", "small"))
NO_OUTPUT = Bug(partial(attention, project=lambda y, out_weight: y), ("symmetric",))
#: The check that refusing a right one costs has to have a probe of its own, whatever the others catch.
ONLY_RIGHT = "the bugs come with right ones that must not be refused either; here nothing else is asked"


def shown(rng: np.random.Generator):
    yield _mixed(rng, "no_mask", "future", "every token sees the whole future", "one without a mask", NO_MASK)
    yield _probe(
        "right",
        "accepts",
        "they differ in their last digits",
        "right ones",
        _shuffled(rng, *RIGHT, *RIGHT[:2]),
        safety=ONLY_RIGHT,
    )
    yield _mixed(rng, "no_scale", "scale", "every pattern is too sharp", "one that does not scale", NO_SCALE)
    yield _mixed(rng, "no_output", "weights", "the heads are never mixed", "one without out_weight", NO_OUTPUT)


def hidden(rng: np.random.Generator):
    rounds = _shuffled(rng, *RIGHT, *RIGHT[:2])
    why = "the same in another order"
    yield _probe("right_again", "accepts", why, "hidden ones", rounds, alone=True, safety=ONLY_RIGHT)
    for check, bug in HIDDEN.items():
        yield _mixed(
            rng, f"wrong_{check}", check, "one of the seven, between right ones", "hidden ones", bug, alone=True
        )


def _mixed(rng, name, check, why, mha, bug, alone=False):
    return _probe(
        name, check, why, mha, [bug.implementation, *_shuffled(rng, *RIGHT, bug.implementation)], bug, alone=alone
    )


def _shuffled(rng, *rounds):
    return [rounds[place] for place in rng.permutation(len(rounds))]


def _probe(name, check, why, mha, rounds, bug=None, *, alone=False, safety=""):
    wrong = [bug is not None and each is bug.implementation for each in rounds]
    return Probe(
        name=name,
        check=check,
        why=why,
        inputs={"mha": mha, "rounds": len(rounds)},
        callbacks=lambda: Meeting(rounds).offered(),
        alone=alone,
        measure=partial(judged, wrong, bug.hidden_by if bug else ()),
        safety=safety,
    )


# How they are called


class Meeting:
    """One check meets the implementations of a probe, one after the other."""

    def __init__(self, rounds):
        self.rounds, self.verdicts = rounds, []

    def offered(self):
        """What the driver may ask for, and what counts as said."""
        return {"mha": self.answer, "judged": self.judged, "noted": lambda: {"verdicts": self.verdicts}}

    def judged(self, verdict):
        """Note what check says of the implementation at hand, and go on to the next one."""
        if len(self.verdicts) == len(self.rounds):
            raise ValueError("all implementations have been judged")
        self.verdicts.append(str(verdict)[:MOST_LETTERS])

    def answer(self, number, x, qkv_weight, out_weight, n_heads):
        """One call of mha. What it is given was chosen by a submission; ValueErrors are for its author."""
        if number != len(self.verdicts):
            raise ValueError("only the implementation that is being judged can be asked")
        _require_fitting(x, qkv_weight, out_weight, n_heads)
        arrays = (np.asarray(each, _precision(each)) for each in (x, qkv_weight, out_weight))
        with np.errstate(all="ignore"):
            return self.rounds[number](*arrays, n_heads)


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

FACTS = {
    "one token": ("no sequence it tried is longer than one token", lambda asked: asked["tokens"] == 1),
    "one head": ("it never asked for more than one head", lambda asked: asked["heads"] == 1),
    "one channel": ("its heads never had more than one channel", lambda asked: asked["channels"] == 1),
    "alike": ("the tokens of every sequence it tried are all alike", lambda asked: asked["alike"]),
    "large": (
        "its numbers are so large that nearly every token looks at a single one",
        lambda asked: asked["smallest_scores"] > 30,
    ),
    "small": (
        "its numbers are so small that all visible tokens weigh nearly the same",
        lambda asked: asked["largest_scores"] < 0.02,
    ),
    "symmetric": ("every out_weight it tried is its own transpose", lambda asked: asked["symmetric"]),
    "same thirds": ("queries and keys never had weights of their own", lambda asked: asked["same_thirds"]),
}


def judged(wrong, hidden_by, inputs, parts):
    """The rest of the sentence about the rounds of one probe; nothing where all of them were judged right."""
    said, asked = [str(verdict) for verdict in parts["verdicts"]], parts["asked"]
    right_ones = [verdict for verdict, is_wrong in zip(said, wrong, strict=True) if not is_wrong]
    wrong_ones = [verdict for verdict, is_wrong in zip(said, wrong, strict=True) if is_wrong]
    crashes = [verdict for verdict in said if verdict not in ("accepted", "refused", "returned")]
    let_through = [verdict for verdict in wrong_ones if verdict != "refused"]
    if crashes:
        known = isinstance(getattr(builtins, crashes[0], None), type)
        kind = crashes[0] if known else "an exception of its own"
        return {"verdict": f"stopped with {kind}, where only an AssertionError counts as a refusal"}
    if "refused" in right_ones:
        sometimes = "accepted" in right_ones or "returned" in right_ones
        whom = "a right implementation one time and accepts one another time" if sometimes else "right implementations"
        instead = " and accepts the wrong one" if let_through and not sometimes else ""
        why = ": the answers it asked for are large, and so are their rounding errors" if asked["peak"] > 8 else ""
        return {"verdict": f"refuses {whom}{instead}{why}"}
    if let_through and "refused" in wrong_ones:
        return {"verdict": "lets a wrong implementation pass one time and catches it another time"}
    if let_through:
        returned = "returned" in let_through
        reason = "it returned a value where it should raise" if returned else _reason(hidden_by, asked)
        return {"verdict": "lets a wrong implementation pass" + (f": {reason}" if reason else "")}
    return {"verdict": ""}


def _reason(hidden_by, asked):
    """A fact about the calls that can hide this bug, if there is one."""
    if asked["tried"] < 1:
        return "it never called mha"
    if asked["calls"] < 1:
        return "every call of mha that it tried was an error, which it hushed up"
    facts = [FACTS[name] for name in hidden_by]
    return next((says for says, holds in facts if holds(asked)), "")
