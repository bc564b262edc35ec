"""`headcount check`: one check of a learner's file, by a worker that is ready or by one of its own."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.learn import background
from autograder.learn.progress import Progress
from autograder.learn.target import find, here
from autograder.sandbox.launch import Zygote
from autograder.submissions.own import read_source


def check(
    target: str | None,
    *,
    as_json: bool,
    plain: bool = False,
    points: float | None = None,
    background: bool = True,
    zygote: Zygote | None = None,
) -> bool:
    """Check one exercise on its shown probes; True when all of them passed. Raises CourseError on bad input.

    `points` is what a learner gives their own text. `background` says whether a worker that stayed behind may answer,
    and one may stay behind for next time. A `zygote` on its way is told what to load.
    """
    course, progress = here(target)
    exercise, path = find(course, progress, target)
    if points is not None and exercise.kind != "text":
        raise CourseError((f"--self is for texts; {exercise.short} is checked, and that says what it earns.",))
    if exercise.kind == "text":
        from autograder.learn.marking import mark_own
        from autograder.report.rows import row

        result = mark_own(course, progress, exercise, path, points, quiet=as_json)
        solved = result.points > 0
        if as_json:
            click.echo(row(result))
    else:
        solved = _checked(course, progress, exercise, path, zygote, as_json=as_json, plain=plain, stays=background)
    if solved and not as_json and (following := progress.next_up(course)):
        from autograder.learn.places import next_step

        click.echo(f"\nNext: {next_step(following)}")
    return solved


def _checked(
    course: Course, progress: Progress, exercise: Exercise, path: Path, zygote: Zygote | None, *, as_json: bool,
    plain: bool, stays: bool,
) -> bool:  # fmt: skip
    """Check a file and say what came of it; whether the exercise is solved now."""
    source, origin = read_source(path, display(path)), display(path)
    if not stays:
        background.end()
    elif answer := background.ask(course, exercise, source, origin, as_json=as_json, plain=plain):
        progress.note_attempt(exercise, answer.solved, source if answer.tried else b"")
        click.echo(answer.text)
        return answer.solved
    if exercise.kind != "code" or find_spec(exercise.library) is None:
        zygote = None
    if zygote:
        zygote.load(sorted({"numpy", exercise.library}))
    from autograder.learn.checking import check_source, drawn  # late: side by side with what the zygote loads
    from autograder.report.rows import row

    result, printed = check_source(course, progress, exercise, source, origin, zygote)
    click.echo(row(result) if as_json else drawn(exercise, result, printed, plain=plain))
    if stays and exercise.kind == "code":
        background.start(course, exercise)
    return result.verdict == "OK"
