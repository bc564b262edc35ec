"""What a learner types. Each command finds the exercise that is meant; the work is done in the modules beside."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from autograder.course.errors import CourseError, display, installing
from autograder.course.load import NoCourse
from autograder.course.model import Course, Exercise
from autograder.learn.hints import next_hint
from autograder.learn.places import introduction, next_step, places
from autograder.learn.progress import Progress
from autograder.learn.target import find, here
from autograder.report.map import draw_map
from autograder.report.terminal import wrap

WELCOME = (
    "Exercises that grade themselves, on your own machine. Open a file, read the lesson at its top, write the missing "
    "lines, save, and check: you are told what is right, what is not, and which idea may have gone wrong."
)

NO_COURSE = (
    "This folder holds no course. `headcount init attention` lays one out in a new folder of that name, with solutions "
    "to compare with; `cd attention` and `headcount` then say what is next. If you have a course already, go there."
)

#: What `headcount learn` needs besides, as it is imported and as it is installed.
NEEDED = {"starlette": "starlette", "uvicorn": "uvicorn", "jinja2": "jinja2", "markdown_it": "markdown-it-py"}


def status() -> None:
    """Say where the learner is and what to type next."""
    try:
        course, progress = here()
    except NoCourse:
        click.echo("\n".join([*wrap(WELCOME), "", *wrap(NO_COURSE)]))
        return
    solved = sum(progress.of(exercise).solved for exercise in course.exercises)
    click.echo(f"{course.title}: {solved} of {len(course.exercises)} exercises solved.")
    exercise = progress.next_up(course)
    if exercise is None:
        click.echo("That was the last one. `headcount list` shows them all.")
        return
    name = exercise.short
    if not solved:
        click.echo("\n" + "\n".join(wrap(WELCOME)))
    click.echo(f"\nNext: {introduction(course, exercise)}")
    click.echo(f"  check  headcount check {name}   (or `headcount watch`: on every save)")
    click.echo(f"  stuck  headcount hint {name}")
    click.echo("\n`headcount list` shows all exercises, `headcount --help` all commands.")


def init(folder: Path) -> None:
    """Lay the course out in a new folder and say how to begin."""
    from autograder.learn.init import init

    course = init(folder)
    click.echo(f"{course.title}: {len(course.exercises)} exercises are in {folder}. Begin there:\n")
    click.echo(f"  cd {shlex.quote(str(folder))}\n  headcount")


def list_exercises(*, as_json: bool, plain: bool) -> None:
    """Print every exercise with points, minutes and where the learner stands."""
    course, progress = here()
    if as_json:
        click.echo(json.dumps([_listed(course, progress, exercise) for exercise in course.exercises], indent=1))
        return
    click.echo(draw_map(course, places(course, progress), plain=plain))


def _listed(course: Course, progress: Progress, exercise: Exercise) -> dict[str, Any]:
    record = progress.of(exercise)
    return {
        "id": exercise.id, "title": exercise.title, "stage": exercise.stage, "kind": exercise.kind,
        "points": exercise.points, "minutes": exercise.minutes, "needs": list(exercise.needs),
        "file": display(course.stub_path(exercise)), **asdict(record), "tries": len(record.tries),
    }  # fmt: skip


def watch(target: str | None, *, plain: bool) -> None:
    """Check the exercise on every save, and go on to the next one when it is solved."""
    course, progress = here()
    exercise, _ = find(course, progress, target)
    from autograder.learn.watch import watch

    watch(course, progress, exercise, plain=plain)


def quiz(target: str | None, *, plain: bool) -> bool:
    """Go through a quiz, the next open one where none is named; True when every answer is right."""
    course, progress = here()
    if target is None:
        open_ones = [each for each in course.exercises if each.kind == "quiz" and not progress.of(each).solved]
        target = open_ones[0].id if open_ones else None
    exercise, path = find(course, progress, target)
    from autograder.learn.asking import ask

    solved = ask(course, progress, exercise, path, plain=plain)
    if solved and (following := progress.next_up(course)):
        click.echo(f"\nNext: {next_step(following)}")
    return solved


def show(target: str, svg: Path | None, png: Path | None, *, plain: bool) -> bool:
    """Draw the masks or attention patterns that the learner's file returns; False where there is none to draw."""
    course, progress = here(target)
    exercise, path = find(course, progress, target)
    from autograder.learn.show import show

    return show(course, exercise, path, svg, png, plain=plain)


def learn(port: int, *, browser: bool) -> None:
    """Serve the course as a page until Ctrl-C. Raises CourseError where what it needs is not installed."""
    course, _ = here()
    if missing := [package for name, package in NEEDED.items() if find_spec(name) is None]:
        what = f"{', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed here"
        raise CourseError((f"The page needs {what}: {installing(' '.join(missing))}",))
    from autograder.learn.page.serve import serve

    serve(course, port, browser=browser)


def hint(target: str | None) -> None:
    """Print the next hint."""
    course, progress = here()
    exercise, _ = find(course, progress, target)
    click.echo(next_hint(course, progress, exercise))


def reveal(target: str, *, yes: bool) -> bool:
    """Print the model answer, after a yes where the exercise is not solved; False where it is not shown."""
    course, progress = here()
    exercise, path = find(course, progress, target)
    from autograder.learn.reveal import QUESTION, draw_refusal, draw_revealed, needs_a_yes, refusal, reveal

    if no := refusal(course, progress, exercise):
        click.echo(draw_refusal(no))
        return False
    if needs_a_yes(progress, exercise) and not yes:
        said = click.prompt(QUESTION, default="no", show_default=False)
        if said.strip().lower() not in ("y", "yes"):
            click.echo("Nothing was shown.")
            return False
    click.echo(draw_revealed(reveal(course, progress, exercise, path)))
    return True


def reset(target: str) -> None:
    """Put the stub of an exercise back and say where the old attempt is kept."""
    course, progress = here()
    exercise, _ = find(course, progress, target)
    from autograder.learn.reset import reset

    click.echo(reset(course, exercise))
