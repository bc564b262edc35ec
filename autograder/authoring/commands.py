"""`headcount verify`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from autograder.authoring import stubs
from autograder.authoring.verify import problems
from autograder.course.errors import display
from autograder.course.load import find_course, load_course
from autograder.report.terminal import Progress


def verify(*, fix: bool, as_json: bool) -> bool:
    """Print every problem of the course; True when there is none. Raises CourseError where course.yaml is not valid."""
    course = load_course(find_course(Path.cwd()))
    if fix:
        for exercise in course.exercises:
            if exercise.kind != "text" and (path := stubs.write_stub(course, exercise)):
                click.echo(f"wrote {display(path)}", err=True)
    progress = Progress()
    found = []
    try:
        for problem in problems(course, progress):
            found.append(problem)
    finally:
        progress.close()
    if as_json:
        click.echo(json.dumps({"problems": found, "exercises": len(course.exercises)}))
    else:
        for problem in found:
            click.echo(problem)
        say = f"{len(found)} to mend." if found else f"{len(course.exercises)} exercises are sound."
        click.echo(say)
    return not found
