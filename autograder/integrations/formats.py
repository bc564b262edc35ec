"""The formats by name, and what each is: one file for the class or for each learner, or the quizzes of the course."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, TypeAlias

from autograder.integrations import (
    canvas,
    classroom,
    classroom50,
    gift,
    gradescope,
    junit,
    moodle,
    moodle_xml,
    nbgrader_csv,
    prairielearn,
    qti,
)  # fmt: skip
from autograder.integrations.marks import Marks
from autograder.integrations.quizzes import Sheet
from autograder.integrations.roster import Roster

ForClass: TypeAlias = Callable[[Sequence[Marks], Roster, str], str]
ForLearner: TypeAlias = Callable[[Marks], dict[str, Any]]
ForQuizzes: TypeAlias = Callable[[Sequence[Sheet], str], str]
ForQuiz: TypeAlias = Callable[[Sheet], bytes]
#: Where the name of a file is cut, in bytes; usual file systems take 255.
LONGEST = 200


@dataclass(frozen=True)
class Format:
    """How one format is written; exactly one of the functions is there."""

    says: str
    for_class: ForClass | None = None
    for_learner: ForLearner | None = None
    for_quizzes: ForQuizzes | None = None
    for_quiz: ForQuiz | None = None
    """A file for each quiz."""
    people: bool = False
    """Whether a roster has something to say in it."""

    @property
    def of_marks(self) -> bool:
        """Whether marks are written, and not questions."""
        return bool(self.for_class or self.for_learner)

    @property
    def many(self) -> bool:
        """Whether several files are written."""
        return bool(self.for_learner or self.for_quiz)


FORMATS = {
    "nbgrader-csv": Format("the table of `nbgrader export`", nbgrader_csv.write, people=True),
    "canvas": Format("CSV for a Canvas gradebook", canvas.write, people=True),
    "moodle": Format("CSV for a Moodle gradebook", moodle.write, people=True),
    "junit": Format("JUnit XML", junit.write),
    "gradescope": Format("results.json for each learner", for_learner=gradescope.results),
    "prairielearn": Format("results.json for each learner", for_learner=prairielearn.results),
    "github-classroom": Format("autograding result for each learner", for_learner=classroom.result),
    "classroom50": Format(
        "result.json for each learner", for_learner=lambda each: classroom50.result(each, os.environ, datetime.now(UTC))
    ),
    "gift": Format("the quizzes for Moodle and others", for_quizzes=gift.write),
    "moodle-xml": Format("the quizzes for Moodle, with points", for_quizzes=moodle_xml.write),
    "qti": Format("a zip for each quiz, for Canvas", for_quiz=qti.write),
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
