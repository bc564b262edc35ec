"""What wrong numbers prove although they are no listed misconception's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from autograder.judge.compare import Finding
from autograder.judge.key import Key
from autograder.plain import as_numpy
from autograder.records import Case, Observation

#: Findings about what came back. All others (an exception, a changed input, a random answer) speak for themselves.
OF_THE_ANSWER = ("WRONG_VALUE", "WRONG_SHAPE", "WRONG_DTYPE", "WRONG_TYPE", "NAN")


@dataclass(frozen=True)
class Reading:
    """What the first pattern that shows itself proves; empty where none does."""

    says: str = ""
    family: str | None = None
    families: tuple[str, ...] = ()
    """All families that can look like this."""


def read(key: Key, findings: Mapping[str, Finding], answers: Mapping[str, Observation]) -> Reading:
    """Read the pattern of the ordinary probes that were asked. Never raises, whatever the answers hold."""
    asked = [probe for probe in key.probes if probe.ordinary and probe.name in findings]
    verdicts = {findings[probe.name].verdict for probe in asked} - {"OK"}
    if not key.patterns or not verdicts or not verdicts <= set(OF_THE_ANSWER):
        return Reading()
    cases = [
        Case(
            {name: as_numpy(value) for name, value in probe.inputs.items()},
            {name: as_numpy(value) for name, value in key.reference[probe.name].parts.items()},
            {name: as_numpy(value) for name, value in answers[probe.name].parts.items()},
            findings[probe.name].right,
        )
        for probe in asked
    ]
    for pattern in key.patterns:
        try:
            with np.errstate(all="ignore"):
                shows = bool(pattern.shows(cases))
        except Exception:  # a claim may hold anything; a pattern need not foresee it
            continue
        if shows:
            return Reading(pattern.says, pattern.families[0] if len(pattern.families) == 1 else None, pattern.families)
    return Reading()
