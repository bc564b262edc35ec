"""How much it proves that an answer is a misconception's: its name, its family, or nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.judge.arrays import close
from autograder.judge.compare import measured, same
from autograder.judge.key import Key, Variant
from autograder.plain import as_numpy
from autograder.records import Observation, Probe, Proof


def proved(
    key: Key, variant: Variant, asked: list[Probe], verdicts: Mapping[str, str], answers: Mapping[str, Observation]
) -> Proof:
    """How much the same answers prove. Where the author of the misconception does not say so, it takes wrong numbers.

    NaN, another precision and a crash have too many causes. But a crash that comes and goes with the sizes of one and
    the same question does prove a name, where all answers to that question agree. Nothing proved is "".
    """
    if variant.misconception.proves:
        return variant.misconception.proves
    wrong = [probe for probe in asked if probe.ordinary and is_wrong(verdicts[probe.name])]
    if not wrong or any(holds_wrong_numbers(key.reference[p.name], answers[p.name], p) for p in wrong):
        return "name"
    crashed = [probe.inputs.keys() for probe in wrong if answers[probe.name].outcome == "raised"]
    question = [probe for probe in asked if probe.inputs.keys() in crashed]
    runs = any(answers[probe.name].outcome == "returned" for probe in question)
    return "name" if runs and all(same_in_full(key, variant, p, answers[p.name]) for p in question) else ""


def same_in_full(key: Key, variant: Variant, probe: Probe, got: Observation) -> bool:
    """Whether a misconception answers a probe alike and does the same to its inputs."""
    theirs = variant.answers[probe.name]
    if key.reference[probe.name].outcome == "raised" and got.outcome == theirs.outcome == "raised":
        return True  # a refusal is a refusal, whatever its words
    return set(theirs.changed) == set(got.changed) and same(theirs, got, probe)


def is_wrong(verdict: str) -> bool:
    """Whether a verdict says that the answer itself is wrong, not only what was done to the inputs."""
    return verdict not in ("OK", "MUTATED")


def holds_wrong_numbers(expected: Observation, got: Observation, probe: Probe) -> bool:
    """Whether more came back than NaN or the right numbers in another precision: numbers, or a form, that are wrong."""
    if expected.outcome != "returned" or got.outcome != "returned":
        return got.outcome == "returned"
    try:
        wanted, found = measured(expected.parts, probe), measured(got.parts, probe)
    except Exception:  # a claim may hold anything; a measure need not foresee it
        wanted, found = expected.parts, got.parts
    return any(_tells(value, found.get(name), probe) for name, value in wanted.items())


def _tells(expected: Any, got: Any, probe: Probe) -> bool:
    """Whether one value is wrong in a way that has few causes."""
    expected, got = as_numpy(expected), as_numpy(got)
    if isinstance(expected, np.ndarray) and isinstance(got, np.ndarray):
        numbers = got.dtype.kind == "f"
        if expected.shape != got.shape or expected.dtype.kind != got.dtype.kind:
            return bool(np.isfinite(got).any()) if numbers else True
        wrong = ~close(expected, got, probe.rtol, probe.atol)
        return bool((wrong & np.isfinite(got)).any()) if numbers else bool(wrong.any())
    if isinstance(expected, dict) and isinstance(got, dict) and expected.keys() == got.keys():
        return any(_tells(value, got[name], probe) for name, value in expected.items())
    if isinstance(expected, (list, tuple)) and isinstance(got, (list, tuple)) and len(expected) == len(got):
        return any(_tells(one, other, probe) for one, other in zip(expected, got, strict=True))
    if isinstance(expected, float) and isinstance(got, float):
        return math.isfinite(got) and not math.isclose(expected, got, rel_tol=probe.rtol, abs_tol=probe.atol)
    return type(expected) is not type(got) or bool(expected != got)
