"""Patterns: read from the ordinary probes in their order, claimed only where they leave one family."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from autograder.judge.compare import compare
from autograder.judge.key import Key
from autograder.judge.patterns import Reading, read
from autograder.records import Array, Case, Observation, Pattern, Probe, Raised

PROBES = (
    Probe(name="two", check="values", why="t", inputs={"n": 2}),
    Probe(name="three", check="values", why="t", inputs={"n": 3}),
    Probe(name="zero", check="corner", why="t", inputs={"n": 0}, ordinary=False),
)


def answered(*values: object) -> dict[str, Observation]:
    """What came back for each probe; an exception stands for itself."""
    found = {}
    for probe, value in zip(PROBES, values, strict=True):
        if isinstance(value, Raised):
            found[probe.name] = Observation(probe.name, "raised", raised=value)
        else:
            found[probe.name] = Observation(probe.name, "returned", parts={"result": Array.of(np.array(value))})
    return found


def negative(cases: Sequence[Case]) -> bool:
    """Whether every wrong case has the sign wrong."""
    return all(case.got["result"] == -case.wanted["result"] for case in cases if not case.right)


def double(cases: Sequence[Case]) -> bool:
    """Whether every wrong case is twice what it should be."""
    return all(case.got["result"] == 2 * case.wanted["result"] for case in cases if not case.right)


SIGN = Pattern(shows=negative, families=("sign",), says="The sign is wrong.")
FACTOR = Pattern(shows=double, families=("powers", "sums"), says="Everything is twice as large.")


def reading(answers: dict[str, Observation], *patterns: Pattern) -> Reading:
    """What the patterns prove about answers to squaring."""
    key = Key("x", "square", PROBES, answered(4.0, 9.0, 0.0), patterns=patterns)
    findings = {probe.name: compare(key.reference[probe.name], answers[probe.name], probe, {}) for probe in PROBES}
    return read(key, findings, answers)


def test_one_family_is_claimed() -> None:
    """A pattern that only one family shows tells that family."""
    assert reading(answered(-4.0, -9.0, 0.0), FACTOR, SIGN) == Reading("The sign is wrong.", "sign", ("sign",))


def test_several_families_are_not_claimed() -> None:
    """Where the pattern leaves several families, only what it proves is said."""
    found = reading(answered(8.0, 18.0, 0.0), SIGN, FACTOR)
    assert (found.says, found.family) == ("Everything is twice as large.", None)


def test_a_right_probe_does_not_spoil_the_pattern() -> None:
    """Some faults show in some inputs only; a pattern decides for itself what the right ones have to look like."""
    assert reading(answered(4.0, -9.0, 0.0), SIGN).family == "sign"


@pytest.mark.parametrize(
    "answers",
    [
        answered(4.0, 9.0, 0.0),
        answered(4.0, 9.0, 5.0),
        answered(-4.0, Raised("ValueError", "no"), 0.0),
        answered([1.0, 2.0], [True], 0.0),
    ],
    ids=["right", "wrong only out of the ordinary", "an exception among them", "not comparable at all"],
)
def test_nothing_is_claimed(answers: dict[str, Observation]) -> None:
    """Right answers, exceptions and answers that a pattern cannot digest prove nothing."""
    assert reading(answers, SIGN, FACTOR) == Reading()
