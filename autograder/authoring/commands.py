"""`headcount verify` and `headcount release`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from autograder.authoring import release as building
from autograder.authoring import stubs
from autograder.authoring.verify import problems
from autograder.course.errors import CourseError, display
from autograder.course.load import find_course, load_course
from autograder.grading import workers
from autograder.report.terminal import Progress


def verify(*, fix: bool, as_json: bool) -> bool:
    """Print every problem of the course; True when there is none. Raises CourseError where course.yaml is not valid."""
    course = load_course(find_course(Path.cwd()))
    course.require_solutions()
    if fix:
        for exercise in course.exercises:
            if exercise.kind == "code" and (path := stubs.write_stub(course, exercise)):
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


def release(out: Path) -> None:
    """Build the handout in a new folder and say what stays behind. Raises CourseError."""
    course = load_course(find_course(Path.cwd()))
    course.require_solutions()
    with workers(course.exercises, lanes=1) as zygote:
        (lane,) = zygote.lanes
        try:
            notes = building.release(course, out, lane)
        except OSError as error:
            raise CourseError((f"{out}: cannot be written there ({error.strerror or error}).",)) from None
    for note in notes:
        click.echo(note, err=True)
    click.echo(f"{len(course.exercises)} exercises: {display(out)}")
