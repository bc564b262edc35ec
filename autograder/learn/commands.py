"""What a learner types. Each command finds the exercise that is meant; the work is done in the modules beside."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from autograder.course.errors import CourseError, did_you_mean, display
from autograder.course.load import NoCourse, find_course, load_course
from autograder.course.model import Course, Exercise
from autograder.learn.hints import next_hint
from autograder.learn.places import introduction, next_step, places
from autograder.learn.progress import Progress
from autograder.report.map import draw_map, short
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
        course, progress = _here()
    except NoCourse:
        click.echo("\n".join([*wrap(WELCOME), "", *wrap(NO_COURSE)]))
        return
    solved = sum(progress.of(exercise).solved for exercise in course.exercises)
    click.echo(f"{course.title}: {solved} of {len(course.exercises)} exercises solved.")
    exercise = progress.next_up(course)
    if exercise is None:
        click.echo("That was the last one. `headcount list` shows them all.")
        return
    name = short(exercise)
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
    course, progress = _here()
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


def check(
    target: str | None,
    *,
    as_json: bool,
    plain: bool = False,
    points: float | None = None,
    background: bool = True,
) -> bool:
    """Check one exercise on its shown probes; True when all of them passed. Raises CourseError on bad input.

    `points` is what a learner gives their own text. `background` says whether a worker may stay behind for next time.
    """
    course, progress = _here()
    exercise, path = _find(course, progress, target)
    if points is not None and exercise.kind != "text":
        raise CourseError((f"--self is for texts; {short(exercise)} is checked, and that says what it earns.",))
    if exercise.kind == "text":
        from autograder.learn.marking import mark_own
        from autograder.report.rows import row

        result = mark_own(course, progress, exercise, path, points, quiet=as_json)
        text, solved = row(result) if as_json else "", result.points > 0
    else:
        text, solved = _checked(course, progress, exercise, path, as_json=as_json, plain=plain, background=background)
    if text:
        click.echo(text)
    if solved and not as_json and (following := progress.next_up(course)):
        click.echo(f"\nNext: {next_step(following)}")
    return solved


def _checked(
    course: Course, progress: Progress, exercise: Exercise, path: Path, *, as_json: bool, plain: bool, background: bool
) -> tuple[str, bool]:
    """What is to be printed of a check, and whether the exercise is solved now."""
    from autograder.learn.background import ask, end, start
    from autograder.submissions.own import read_source

    source, origin = read_source(path, display(path)), display(path)
    if not background:
        end()
    elif answer := ask(course, exercise, source, origin, as_json=as_json, plain=plain):
        progress.note_attempt(exercise, answer.solved, source if answer.tried else b"")
        return answer.text, answer.solved
    from autograder.learn.early import early_zygote

    with early_zygote(exercise) as zygote:
        from autograder.learn.checking import check_source, drawn
        from autograder.report.rows import row

        result, printed = check_source(course, progress, exercise, source, origin, zygote)
    if background and exercise.kind == "code":
        start(course, exercise)
    return row(result) if as_json else drawn(exercise, result, printed, plain=plain), result.verdict == "OK"


def watch(target: str | None, *, plain: bool) -> None:
    """Check the exercise on every save, and go on to the next one when it is solved."""
    course, progress = _here()
    exercise, _ = _find(course, progress, target)
    from autograder.learn.watch import watch

    watch(course, progress, exercise, plain=plain)


def quiz(target: str | None, *, plain: bool) -> bool:
    """Go through a quiz, the next open one where none is named; True when every answer is right."""
    course, progress = _here()
    if target is None:
        open_ones = [each for each in course.exercises if each.kind == "quiz" and not progress.of(each).solved]
        target = open_ones[0].id if open_ones else None
    exercise, path = _find(course, progress, target)
    from autograder.learn.asking import ask

    solved = ask(course, progress, exercise, path, plain=plain)
    if solved and (following := progress.next_up(course)):
        click.echo(f"\nNext: {next_step(following)}")
    return solved


def show(target: str, svg: Path | None, png: Path | None, *, plain: bool) -> bool:
    """Draw the masks or attention patterns that the learner's file returns; False where there is none to draw."""
    course, progress = _here()
    exercise, path = _find(course, progress, target)
    from autograder.learn.show import show

    return show(course, exercise, path, svg, png, plain=plain)


def learn(port: int, *, browser: bool) -> None:
    """Serve the course as a page until Ctrl-C. Raises CourseError where what it needs is not installed."""
    course, _ = _here()
    if missing := [package for name, package in NEEDED.items() if find_spec(name) is None]:
        what = f"{' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed here"
        raise CourseError((f"The page needs {what}: pip install {' '.join(missing)}",))
    from autograder.learn.page.serve import serve

    serve(course, port, browser=browser)


def hint(target: str | None) -> None:
    """Print the next hint."""
    course, progress = _here()
    exercise, _ = _find(course, progress, target)
    click.echo(next_hint(course, progress, exercise))


def reveal(target: str, *, yes: bool) -> bool:
    """Print the model answer, after a yes where the exercise is not solved; False where it is not shown."""
    course, progress = _here()
    exercise, path = _find(course, progress, target)
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
    course, progress = _here()
    exercise, _ = _find(course, progress, target)
    from autograder.learn.reset import reset

    click.echo(reset(course, exercise))


def _here() -> tuple[Course, Progress]:
    course = load_course(find_course(Path.cwd()))
    return course, Progress(course)


def _find(course: Course, progress: Progress, target: str | None) -> tuple[Exercise, Path]:
    """The exercise and file that the learner means: nothing (what is next), an id or its beginning, or a path."""
    if target is None:
        exercise = progress.next_up(course) or course.exercises[0]
        return exercise, course.stub_path(exercise)
    path = Path(target)
    if path.suffix in (".py", ".yaml", ".yml", ".md") or path.parent != Path():
        found = [exercise for exercise in course.exercises if exercise.id == path.stem]
        if not found:
            near = did_you_mean(path.stem, [exercise.id for exercise in course.exercises])
            problem = f"{target}: a file is named after its exercise, and there is no '{path.stem}'.{near}"
            raise CourseError((problem,))
        return found[0], path
    exercise = course.find(target)
    return exercise, course.stub_path(exercise)
