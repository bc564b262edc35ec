"""From observations to points: one Verdict for each check of the exercise, one Result for the exercise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from autograder.course.model import Check, Exercise, Policy
from autograder.judge.compare import Finding, compare
from autograder.judge.diagnose import diagnose
from autograder.judge.key import Key
from autograder.judge.messages import HARM, explain, purpose, teach
from autograder.judge.patterns import Reading, read
from autograder.judge.pictures import picture
from autograder.records import Observation, Observations, Probe, Result, Submission, Verdict

#: A submission may answer infinity and what is not a number; whoever measures that need not warn of it.
WHATEVER_NUMBERS = np.errstate(all="ignore")


@WHATEVER_NUMBERS
def judge(exercise: Exercise, key: Key, submission: Submission, seen: Observations, policy: Policy = "allow") -> Result:
    """The Result of one submission. Pure: the same observations and key give the same result, bit for bit.

    `policy` says what becomes of a submission that mentions a ready-made answer.
    """
    asked = [probe for probe in key.probes if probe.name in seen.probes]
    findings = {p.name: compare(key.reference[p.name], seen.probes[p.name], p, key.axes) for p in asked}
    diagnosis = diagnose(key, seen.probes, findings)
    reading = Reading() if diagnosis.named or diagnosis.told else read(key, findings, seen.probes)
    explained = {wrong.entry for wrong in diagnosis.named or diagnosis.told}
    first = _first_wrong([probe for probe in asked if key.called(probe) in explained], findings)
    first = first or _first_wrong(asked, findings)
    checks = _verdicts(exercise, key, asked, findings, seen.probes, first)
    finding = findings[first.name] if first else None
    told = [explain(key, first, seen.probes[first.name], findings[first.name])] if first else []
    help = teach(diagnosis, key.called(first) if first else "") or [reading.says or _purpose(first, findings)]
    flags = tuple(f"line {line} uses {name}, a ready-made answer" for name, line in seen.ready_made)
    result = Result(
        learner=submission.learner,
        exercise=exercise.id,
        points=sum(check.points for check in checks),
        max_points=sum(check.max_points for check in checks),
        verdict=finding.verdict if finding else "OK",
        symptom=finding.says or None if finding else None,
        misconceptions=diagnosis.slugs,
        family=diagnosis.family or reading.family,
        message=" ".join(told + help).rstrip(),
        flags=flags if policy != "allow" else (),
        checks=checks,
        picture=picture(key, first, seen.probes[first.name]) if first else None,
    )
    return _forbidden(result) if policy == "forbid" and flags else result


def _purpose(first: Probe | None, findings: Mapping[str, Finding]) -> str:
    """What helps where nothing is known of the thought behind a wrong answer: what it harms, or why it was asked."""
    if first is None:
        return ""
    return HARM.get(findings[first.name].verdict) or ("" if first.ordinary else purpose(first))


@WHATEVER_NUMBERS
def is_right(key: Key, probe: Probe, got: Observation) -> bool:
    """Whether there is nothing to find fault with in the answer to one probe."""
    return compare(key.reference[probe.name], got, probe, key.axes).right


def _forbidden(result: Result) -> Result:
    """The result of a submission that used what this course does not allow here: no points, and the line is named."""
    message = f"This exercise is to be written by hand: {'; '.join(result.flags)}."
    checks = tuple(replace(check, passed=False, points=0.0, message=message) for check in result.checks)
    return replace(result, points=0.0, verdict="FORBIDDEN", symptom=None, message=message, checks=checks)


def _first_wrong(asked: list[Probe], findings: Mapping[str, Finding]) -> Probe | None:
    """The probe to talk about: an ordinary one before a corner case, a shown one before a hidden one."""
    wrong = [probe for probe in asked if not findings[probe.name].right]
    return min(wrong, key=lambda probe: (not probe.ordinary, not probe.shown), default=None)


def _earns(check: Check, finding: Finding) -> bool:
    """Whether a finding lets its check pass. A changed input costs only the checks that build on others."""
    return finding.right or (finding.verdict == "MUTATED" and not check.needs)


def _verdicts(
    exercise: Exercise,
    key: Key,
    asked: list[Probe],
    findings: Mapping[str, Finding],
    answers: Mapping[str, Observation],
    told: Probe | None,
) -> tuple[Verdict, ...]:
    """One verdict a check, in the order of course.yaml. A check none of whose probes was asked is left out.

    `told` is the probe that the whole result talks about.
    """
    passed: dict[str, bool] = {}
    verdicts = []
    for check in exercise.checks:
        probes = [probe for probe in asked if probe.check == check.id]
        if not probes:
            continue
        wrong = _first_wrong([probe for probe in probes if not _earns(check, findings[probe.name])], findings)
        missing = [need for need in check.needs if not passed.get(need, True)]
        passed[check.id] = wrong is None and not missing
        if wrong is not None:
            before = answers[told.name] if told else None
            message = explain(key, wrong, answers[wrong.name], findings[wrong.name], before)
        else:
            message = f"counts once these checks pass: {', '.join(missing)}" if missing else check.says
        verdicts.append(
            Verdict(
                id=check.id,
                shown=all(probe.shown for probe in probes),
                passed=passed[check.id],
                points=check.points if passed[check.id] else 0.0,
                max_points=check.points,
                message=message,
            )
        )
    return tuple(verdicts)
