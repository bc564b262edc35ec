"""`headcount`, `headcount list` and `headcount check`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from autograder.course.errors import CourseError, did_you_mean, display
from autograder.course.load import find_course, load_course
from autograder.course.model import Course, Exercise
from autograder.learn.progress import Progress
from autograder.records import Result


def status() -> None:
    """Say where the learner is and what to type next."""
    course = load_course(find_course(Path.cwd()))
    progress = Progress(course)
    solved = sum(progress.of(exercise).solved for exercise in course.exercises)
    click.echo(f"{course.title}: {solved} of {len(course.exercises)} exercises solved.")
    exercise = progress.next_up(course)
    if exercise is None:
        click.echo("That was the last one. `headcount list` shows them all.")
        return
    short = exercise.id.partition("_")[0]
    worth = f"{exercise.points:g} points, about {exercise.minutes} minutes"
    click.echo(f"\nNext: {exercise.id} ({exercise.title}), {worth}")
    click.echo(f"  {exercise.lesson}\n")
    click.echo(f"  open   {display(course.stub_path(exercise))}")
    click.echo(f"  check  headcount check {short}")
    click.echo("\n`headcount list` shows all exercises, `headcount --help` all commands.")


def list_exercises(*, as_json: bool) -> None:
    """Print every exercise with points, minutes and whether it is solved."""
    course = load_course(find_course(Path.cwd()))
    progress = Progress(course)
    if as_json:
        click.echo(json.dumps([_listed(course, progress, exercise) for exercise in course.exercises], indent=1))
        return
    width = max(len(exercise.id) for exercise in course.exercises)
    for stage in course.stages:
        rows = [exercise for exercise in course.exercises if exercise.stage == stage.letter]
        if rows:
            click.echo(f"{stage.letter}. {stage.title}")
        for exercise in rows:
            mark = "✓" if progress.of(exercise).solved else " "
            points = f"{exercise.points:g} point{'' if exercise.points == 1 else 's'}"
            click.echo(f"  {mark} {exercise.id:{width}}  {points:>9}  {exercise.minutes:3d} min  {exercise.title}")
    total = sum(exercise.points for exercise in course.exercises)
    click.echo(f"\n{len(course.exercises)} exercises, {total:g} points.")


def _listed(course: Course, progress: Progress, exercise: Exercise) -> dict[str, Any]:
    record = progress.of(exercise)
    return {
        "id": exercise.id, "title": exercise.title, "stage": exercise.stage, "kind": exercise.kind,
        "points": exercise.points, "minutes": exercise.minutes, "needs": list(exercise.needs),
        "file": display(course.stub_path(exercise)), "solved": record.solved, "attempts": record.attempts,
    }  # fmt: skip


def check(target: str | None, *, as_json: bool) -> bool:
    """Check one exercise on its shown probes; True when all of them passed. Raises CourseError on bad input."""
    course = load_course(find_course(Path.cwd()))
    progress = Progress(course)
    exercise, path = _find(course, progress, target)
    from autograder import grading
    from autograder.report.rows import row
    from autograder.submissions import read_source

    source, origin = read_source(path, display(path)), display(path)
    if exercise.kind == "quiz":
        result, printed = grading.check_sheet(course, exercise, source, origin), ""
    else:
        result, printed = _check_code(course, exercise, source, origin)
    solved = result.verdict == "OK"
    progress.note_attempt(exercise, solved)
    if as_json:
        click.echo(row(result))
        return solved
    from autograder.report.sheet import draw_sheet
    from autograder.report.terminal import draw_check

    quiz = exercise.kind == "quiz"
    click.echo(draw_sheet(result, exercise.title) if quiz else draw_check(result, exercise.title, printed, hidden=True))
    if solved and (following := progress.next_up(course)):
        click.echo(f"\nNext: headcount check {following.id.partition('_')[0]}  ({following.title})")
    return solved


def _check_code(course: Course, exercise: Exercise, source: bytes, origin: str) -> tuple[Result, str]:
    """The result of a code exercise, and what the file printed; a bar shows how long it may take."""
    from autograder import grading
    from autograder.report.terminal import Progress as Bar

    bar = Bar()
    try:
        return grading.check(course, exercise, source, origin, bar)
    finally:
        bar.close()


def _find(course: Course, progress: Progress, target: str | None) -> tuple[Exercise, Path]:
    """The exercise and file that the learner means: nothing (what is next), an id or its beginning, or a path."""
    if target is None:
        exercise = progress.next_up(course) or course.exercises[0]
        return exercise, course.stub_path(exercise)
    path = Path(target)
    if path.suffix in (".py", ".yaml", ".yml") or path.parent != Path():
        found = [exercise for exercise in course.exercises if exercise.id == path.stem]
        if not found:
            near = did_you_mean(path.stem, [exercise.id for exercise in course.exercises])
            problem = f"{target}: a file is named after its exercise, and there is no '{path.stem}'.{near}"
            raise CourseError((problem,))
        return found[0], path
    exercise = course.find(target)
    return exercise, course.stub_path(exercise)
