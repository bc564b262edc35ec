"""`headcount verify`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.authoring import stubs
from autograder.authoring.verify import problems
from autograder.course.errors import ContentError, CourseError, display
from autograder.course.load import find_course, load_course
from autograder.course.model import Course, Exercise
from autograder.grading import workers
from autograder.report.terminal import Progress

if TYPE_CHECKING:
    from autograder.authoring.deep import Review


def verify(wanted: str | None, *, deep: bool, fix: bool, as_json: bool) -> bool:
    """Print every problem of the course, or of one exercise; True when there is none.

    Raises CourseError where course.yaml is not valid, or what was asked for is not there.
    """
    course = load_course(find_course(Path.cwd()))
    exercises = course.exercises if wanted is None else (course.find(wanted),)
    if fix:
        for exercise in exercises:
            if exercise.kind == "code" and (path := stubs.write_stub(course, exercise)):
                click.echo(f"wrote {display(path)}", err=True)
    progress = Progress()
    reviews: list[Review] = []
    try:
        found = list(problems(course, exercises, progress))
        for done in _reviews(course, exercises, progress) if deep else ():
            if isinstance(done, str):
                found.append(done)
                continue
            reviews.append(done)
            found += done.problems
            if not as_json:
                progress.close()
                click.echo(draw(done))
    finally:
        progress.close()
    found = list(dict.fromkeys(found))
    if as_json:
        click.echo(json.dumps({"problems": found, "exercises": len(exercises)} | _as_data(reviews, deep)))
    else:
        for problem in found:
            click.echo(problem)
        count = f"{len(exercises)} exercise{' is' if len(exercises) == 1 else 's are'} sound."
        click.echo(f"{len(found)} to mend." if found else count)
    return not found


def _reviews(course: Course, exercises: Sequence[Exercise], progress: Progress) -> Iterator[Review | str]:
    """The review of each code exercise, or the problems that stood in its way."""
    try:
        from autograder.authoring.deep import review
    except ModuleNotFoundError as missing:
        if missing.name != "libcst":
            raise
        mend = "pip install -c constraints.txt libcst"
        raise CourseError((f"verify --deep needs libcst, which is not installed here: {mend}",)) from None
    code = [exercise for exercise in exercises if exercise.kind == "code"]
    with workers(code, lanes=1) as zygote:
        (lane,) = zygote.lanes
        for count, exercise in enumerate(code, start=1):
            progress("looking deeper", count, len(code))
            try:
                yield review(course, exercise, lane)
            except ContentError as error:
                yield from error.problems


def draw(review: Review) -> str:
    """What an author reads about one exercise; what is to be mended comes after all of them."""
    lines = [f"{review.exercise.id}: {review.exercise.title}"]
    for what, came in review.findings:
        lines.append(f"  {what:16}{came}")
        if what == "mutants":
            lines += [f"    = {each}" for each in review.excused]
    if review.problems:
        lines.append(f"  {'to mend':16}{len(review.problems)}, listed below")
    return "\n".join([*lines, ""])


def _as_data(reviews: Sequence[Review], deep: bool) -> dict[str, object]:
    """The reviews for a program; nothing where none was asked for."""
    listed = [
        {
            "exercise": each.exercise.id,
            "mutants": each.mutants,
            "equivalent": each.excused,
            "findings": dict(each.findings),
        }
        for each in reviews
    ]
    return {"reviews": listed} if deep else {}
