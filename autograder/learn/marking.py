"""Mark one's own text: it is counted, then rubric and model text are shown, and the learner says what it earns."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.learn.checking import check_source, head
from autograder.learn.progress import Progress
from autograder.records import Criterion, Result
from autograder.report.rubric import draw_rubric, worth
from autograder.report.terminal import wrap
from autograder.submissions.own import read_source
from autograder.texts.load import load_text

ASK = "Have you finished? The rubric and a model text come next."
FINISHED = f"{ASK} Type yes to see them"
READ_AGAIN = "Now read your own text again: what does it earn?"
NOTED = "Noted: you give yourself {points:g} of {most:g} points."


def mark_own(
    course: Course, progress: Progress, exercise: Exercise, path: Path, points: float | None, *, quiet: bool
) -> Result:
    """The result of a text, with the learner's own mark where they give one: `points`, or what they type when asked.

    A quiet one prints nothing and asks nothing. Raises CourseError for points that there are not.
    """
    if points is not None and not 0 <= points <= exercise.points:
        raise CourseError((f"--self {points:g}: {exercise.short} is worth 0 to {exercise.points:g} points.",))
    result, _ = check_source(course, progress, exercise, read_source(path, display(path)), display(path))
    if not quiet:
        click.echo("\n".join([*head(exercise), *wrap(result.message)]))
    if result.verdict != "TO_BE_MARKED":
        return result
    if points is None and not quiet:
        points = _compared(course, exercise)
    if points is None:
        return result
    progress.note_self_mark(exercise, points)
    if not quiet:
        click.echo(NOTED.format(points=points, most=exercise.points))
    full = points == exercise.points
    return replace(result, points=points, verdict="OK" if full else "MARKED", message="Marked by its learner.")


def _compared(course: Course, exercise: Exercise) -> float | None:
    """Show what the text is compared with, and ask what it earns where somebody is there to answer."""
    asked = sys.stdin.isatty()
    if asked and click.prompt(FINISHED, default="no", show_default=False).strip().lower() not in ("y", "yes"):
        click.echo("Go on writing; nothing was shown.")
        return None
    text = load_text(course, exercise)
    click.echo(f"\n{draw_rubric(text.rubric, text.model)}\n")
    if asked:
        click.echo(READ_AGAIN)
        return sum(map(_ask, text.rubric))
    line = f"Mark your own with `headcount check {exercise.short} --self POINTS`, from 0 to {exercise.points:g}."
    click.echo("\n".join(wrap(line)))
    return None


def _ask(criterion: Criterion) -> float:
    kind = click.FloatRange(0, criterion.points)
    return float(click.prompt(f"  {criterion.id} (of {worth(criterion)})", type=kind))
