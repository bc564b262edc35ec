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
    done = set(_harms(key, asked, findings, answers).values())
    if len(done) != 1:
        return []
    known = [v.misconception for v in key.near(entry, asked, answers) if _does(key, v, asked, done)]
    return [replace(known[0], says="")] if len({wrong.slug for wrong in known}) == 1 else []


def _does(key: Key, variant: Variant, asked: list[Probe], done: set[Harm]) -> bool:
    """Whether a misconception does this harm and nothing else wrong, but for what comes of it: errors and gradients."""
    findings = {p.name: compare(key.reference[p.name], variant.answers[p.name], p, {}) for p in asked}
    harms = _harms(key, asked, findings, variant.answers)
    others = [p for p in asked if is_wrong(findings[p.name].verdict) and p.name not in harms]
    comes_of_it = all(
        not probe.ordinary and (probe.gradient or variant.answers[probe.name].outcome == "raised") for probe in others
    )
    return comes_of_it and set(harms.values()) == done


def _harms(
    key: Key, asked: list[Probe], findings: Mapping[str, Finding], answers: Mapping[str, Observation]
) -> dict[str, Harm]:
    """By probe, where there is any."""
    harms = {p.name: _harm(p, key.reference[p.name], answers[p.name], findings[p.name]) for p in asked}
    return {name: harm for name, harm in harms.items() if harm}


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
