"""What a right answer does besides: harm by which a misconception is known, whatever line of code does it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from autograder.judge.compare import Finding, compare, same
from autograder.judge.key import Key, Variant
from autograder.judge.proof import is_wrong
from autograder.records import Misconception, Observation, Probe

Harm = Literal["changes an input", "cuts a gradient", "answers what is to be refused"]


def known_by_harm(
    key: Key, entry: str, asked: list[Probe], findings: Mapping[str, Finding], answers: Mapping[str, Observation]
) -> list[Misconception]:
    """The misconception that all listed ones which do this harm are called by; none where they differ, or it does two.

    Its own sentence tells of other lines than the learner's, so it comes without.
    """
    if any(probe.ordinary and is_wrong(findings[probe.name].verdict) for probe in asked):
        return []
    done = _done(key, asked, findings, answers)
    if len(done) != 1:
        return []
    answered = [probe for probe in asked if probe.ordinary and key.reference[probe.name].outcome == "returned"]
    near = [key.variants[row] for row in key.sketches.near(answers, answered)]
    known = [v.misconception for v in near if v.misconception.entry == entry and _does(key, v, asked, done)]
    return [replace(known[0], says="")] if len({wrong.slug for wrong in known}) == 1 else []


def _does(key: Key, variant: Variant, asked: list[Probe], done: set[Harm]) -> bool:
    """Whether a misconception does this harm and nothing else wrong, but for what comes of it: errors and gradients."""
    findings = {p.name: compare(key.reference[p.name], variant.answers[p.name], p, {}) for p in asked}
    harmful = {p.name for p in asked if _harm(p, key.reference[p.name], variant.answers[p.name], findings[p.name])}
    others = [p for p in asked if is_wrong(findings[p.name].verdict) and p.name not in harmful]
    comes_of_it = all(
        not probe.ordinary and (probe.gradient or variant.answers[probe.name].outcome == "raised") for probe in others
    )
    return comes_of_it and _done(key, asked, findings, variant.answers) == done


def _done(
    key: Key, asked: list[Probe], findings: Mapping[str, Finding], answers: Mapping[str, Observation]
) -> set[Harm]:
    harm = (_harm(probe, key.reference[probe.name], answers[probe.name], findings[probe.name]) for probe in asked)
    return {each for each in harm if each}


def _harm(probe: Probe, expected: Observation, got: Observation, finding: Finding) -> Harm | None:
    if finding.verdict == "MUTATED":
        return "changes an input"
    if got.outcome != "returned" or finding.right:
        return None
    if expected.outcome == "raised":
        return "answers what is to be refused"
    wanted, came = expected.parts.get("gradient"), got.parts.get("gradient")
    if isinstance(wanted, dict) and isinstance(came, dict) and same(_forward(expected), _forward(got), probe):
        lost = any(value is not None and came.get(name) is None for name, value in wanted.items())
        return "cuts a gradient" if lost else None
    return None


def _forward(answer: Observation) -> Observation:
    """The answer without the gradients."""
    return replace(answer, parts={name: part for name, part in answer.parts.items() if name != "gradient"})
