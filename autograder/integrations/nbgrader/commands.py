"""`headcount nbgrader init`, and `headcount grade --nbgrader`."""

from __future__ import annotations

from pathlib import Path

import click

from autograder import notebooks
from autograder.course.errors import CourseError, display
from autograder.course.load import find_course, load_course
from autograder.integrations.nbgrader.collect import Submitted
from autograder.integrations.nbgrader.gradebook import register
from autograder.integrations.nbgrader.grading import Folder
from autograder.integrations.nbgrader.init import init as make
from autograder.integrations.nbgrader.place import MARKS, place_at
from autograder.teach.commands import grade_uploads


def init(root: Path, db_url: str | None) -> None:
    """Make a course folder of the course at hand, and say what to type next. Raises CourseError."""
    course = load_course(find_course(Path.cwd()))
    course.require_solutions()
    try:
        names = make(course, root, db_url)
    except OSError as error:
        raise CourseError((f"{root}: cannot be written there ({error.strerror or error}).",)) from None
    click.echo(f"{len(names)} assignments: {', '.join(names)}")
    click.echo(f"Hand one out: cd {display(root)} && nbgrader generate_assignment {names[0]}")


def grade(
    root: Path, out: Path | None, db_url: str | None, *, jobs: int | None, alone: bool, trusted: bool, as_json: bool,
    plain: bool,
) -> None:  # fmt: skip
    """Grade what lies in ``submitted/`` of a course folder, into its gradebook and ``autograded/``.

    Ledger and results.jsonl go to `out`, or into the folder itself. Raises HeadcountError on bad input, and where
    anything could not be graded.
    """
    course = load_course(find_course(Path.cwd()))
    course.require_solutions()
    place = place_at(root, db_url)
    books = list(notebooks.build(course))
    register(course, place, books)
    submitted = Submitted(course, place, books)
    folder = Folder(course, place, submitted)
    grade_uploads(
        course, submitted.uploads(), out or root / MARKS, jobs=jobs, alone=alone, trusted=trusted, as_json=as_json,
        plain=plain, first=folder.take_marks, watch=folder.watch,
    )  # fmt: skip
    written = folder.write()
    click.echo(f"{written} notebook{'s' * (written != 1)}: {display(root / 'autograded')} and the gradebook", err=True)
