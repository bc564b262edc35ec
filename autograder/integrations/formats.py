"""The formats by name, and what each is: one file for the class, or one for each learner."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeAlias

from autograder.integrations import canvas, classroom, gradescope, junit, moodle, nbgrader_csv, prairielearn
from autograder.integrations.marks import Marks
from autograder.integrations.roster import Roster

ForClass: TypeAlias = Callable[[Sequence[Marks], Roster, str], str]
ForLearner: TypeAlias = Callable[[Marks], dict[str, Any]]
#: Where the name of a file is cut, in bytes; usual file systems take 255.
LONGEST = 200


@dataclass(frozen=True)
class Format:
    """How one format is written; exactly one of the two functions is there."""

    says: str
    for_class: ForClass | None = None
    for_learner: ForLearner | None = None
    people: bool = False
    """Whether a roster has something to say in it."""


FORMATS = {
    "nbgrader-csv": Format("the table of `nbgrader export`", nbgrader_csv.write, people=True),
    "canvas": Format("CSV for a Canvas gradebook", canvas.write, people=True),
    "moodle": Format("CSV for a Moodle gradebook", moodle.write, people=True),
    "junit": Format("JUnit XML", junit.write),
    "gradescope": Format("results.json for each learner", for_learner=gradescope.results),
    "prairielearn": Format("results.json for each learner", for_learner=prairielearn.results),
    "github-classroom": Format("autograding result for each learner", for_learner=classroom.result),
}


def as_json(value: dict[str, Any]) -> str:
    """JSON as these platforms read it; numbers are finite, text is as it is."""
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def file_name(learner: str) -> str:
    """The learner's name as the name of a file in the same folder on any system; different ones stay different."""
    safe = "".join(letter if letter.isalnum() or letter in " @._-" else _escaped(letter) for letter in learner)
    if safe.startswith((".", "-")):
        safe = _escaped(safe[0]) + safe[1:]
    if len(safe.encode()) > LONGEST:
        safe = f"{safe.encode()[:LONGEST].decode(errors='ignore')}-{sha256(learner.encode()).hexdigest()[:16]}"
    return f"{safe}.json"


def _escaped(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode())
