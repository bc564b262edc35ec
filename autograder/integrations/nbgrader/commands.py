"""`headcount nbgrader init`, and `headcount grade --nbgrader`."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.course.errors import CourseError, display
from autograder.course.load import find_course, load_course
from autograder.integrations.nbgrader.init import init as make


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
