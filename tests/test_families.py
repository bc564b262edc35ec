"""The course's patterns, tried on every wrong answer of its list as if that answer had no name."""

from __future__ import annotations

from collections import Counter

import pytest

from autograder.course.load import load_course
from autograder.grading import plan
from autograder.judge.compare import compare
from autograder.judge.key import Key, Variant
from autograder.judge.patterns import Reading, read
from autograder.running import workers
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def keys() -> dict[str, Key]:
    """The keys of the course, hidden probes included."""
    course = load_course(ROOT)
    with workers(course.exercises, lanes=2) as zygote:
        made = plan(course, zygote.lanes)
    assert made
    return made.keys


def _nameless(key: Key, variant: Variant, *, hidden: bool) -> Reading:
    asked = [probe for probe in key.probes if hidden or probe.shown]
    answers = {probe.name: variant.answers[probe.name] for probe in asked}
    findings = {probe.name: compare(key.reference[probe.name], answers[probe.name], probe, key.axes) for probe in asked}
    return read(key, findings, answers)


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [True, False], ids=["in class", "at home"])
def test_no_family_is_claimed_wrongly(keys: dict[str, Key], hidden: bool) -> None:
    """Whatever families a pattern leaves, the true one is among them; and patterns do claim."""
    wrong, claimed = [], Counter[bool]()
    for id, key in keys.items():
        for variant in key.variants:
            reading = _nameless(key, variant, hidden=hidden)
            if reading.families and variant.misconception.family not in reading.families:
                wrong.append((id, variant.misconception.slug, variant.misconception.line, reading.families))
            claimed[reading.family is not None] += 1
    assert wrong == []
    assert claimed[True] >= 150
