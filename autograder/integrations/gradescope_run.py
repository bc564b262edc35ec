"""What runs inside Gradescope: one submission in, one results.json out.

Where it cannot be graded nothing is written, so that Gradescope tells of a failed autograder instead of noting a zero;
the reason is printed, which instructors see and learners do not.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.course.load import load_course
from autograder.course.model import Course
from autograder.errors import HeadcountError
from autograder.files import write_whole
from autograder.integrations.formats import as_json
from autograder.integrations.gradescope import results
from autograder.integrations.marks import UNGRADED
from autograder.integrations.single import one_by_one
from autograder.integrations.text import message, plain
from autograder.records import Upload
from autograder.sandbox.isolation import FULL, Isolation
from autograder.submissions.intake import of_one

#: Who handed in, where Gradescope does not say.
SOMEBODY = "submission"


def main(arguments: Sequence[str]) -> int:
    """Grade what lies in ROOT/submission, or with --prepare make the keys; the exit status."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("chosen", nargs="*", help="ids of exercises; default: all")
    parser.add_argument("--prepare", action="store_true")
    given = parser.parse_args(arguments)
    try:
        course = load_course(given.root / "source" / "course")
        chosen = given.chosen or [exercise.id for exercise in course.exercises]
        with one_by_one(course, chosen) as single:
            print(said(single.isolation))
            if given.prepare:
                return 0
            upload = handed_in(course, given.root)
            marks = single.grade(upload)
            isolation = single.isolation
    except HeadcountError as problem:
        print(f"Not graded: {problem}")
        return 1
    for note in upload.notes:
        print(plain(note))
    if any(mark.verdict == UNGRADED for mark in marks.marks):
        print("Not graded: the machine failed to run it; run the autograder again.")
        return 1
    about = {"isolation": isolation.level, "isolation_words": isolation.words}
    told = {"output": message("\n".join(upload.notes)), "extra_data": about}
    (given.root / "results").mkdir(exist_ok=True)
    write_whole(given.root / "results" / "results.json", [as_json(results(marks) | told).encode("utf-8", "replace")])
    return 0


def said(isolation: Isolation) -> str:
    """How far submissions are shut in here, and why no further."""
    lines = [f"Isolation: level {isolation.level} of {FULL}, {isolation.words}"]
    return "\n".join(lines + [f"  because: {reason}" for reason in isolation.reasons])


def handed_in(course: Course, root: Path) -> Upload:
    """The submission, under the address of who handed it in, at the time that Gradescope noted."""
    about = _metadata(root / "submission_metadata.json")
    upload = of_one(root / "submission", _learner(about), [exercise.file for exercise in course.exercises])
    time = _time(about)
    timed = (replace(each, received=time or each.received) for each in upload.submissions)
    return replace(upload, submissions=tuple(timed))


def _metadata(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _learner(about: dict[str, Any]) -> str:
    try:
        return str(about["users"][0]["email"]).strip() or SOMEBODY
    except (KeyError, IndexError, TypeError):
        return SOMEBODY


def _time(about: dict[str, Any]) -> str | None:
    try:
        moment = datetime.fromisoformat(about["created_at"])
    except (KeyError, TypeError, ValueError):
        return None
    return moment.isoformat() if moment.tzinfo else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
