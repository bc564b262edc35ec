"""`headcount sheet`: quizzes with numbers of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from autograder.course.errors import CourseError, display
from autograder.course.load import find_course, load_course
from autograder.quiz.draw import load_quiz
from autograder.quiz.sheet import sheet

_LONGEST = 100


def write_sheets(target: str, learners: Sequence[str], out: Path) -> None:
    """Write OUT/LEARNER/EXERCISE.yaml for each learner. Raises CourseError; a sheet that is there is never replaced."""
    course = load_course(find_course(Path.cwd()))
    exercise = course.find(target)
    if exercise.kind != "quiz":
        raise CourseError((f"{exercise.id} is no quiz, so it has no sheet; give learners {exercise.file}.",))
    if course.quiz_numbers != "own":
        click.echo("Marks go by the sheet in exercises/ until course.yaml says `quiz_numbers: own`.", err=True)
    quiz = load_quiz(course, exercise)
    for learner in learners:
        _require_name(learner)
        path = out / learner / exercise.file
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(sheet(quiz, learner))
        except FileExistsError:
            raise CourseError((f"{display(path)}: is there already, perhaps with answers; remove it first.",)) from None
        click.echo(display(path))


def _require_name(learner: str) -> None:
    """A learner is named by the folder they hand in."""
    name = learner.strip()
    if not name or name != learner or len(name) > _LONGEST or not name.isprintable() or set(name) & set("/\\"):
        raise CourseError((f"--learner {learner!r}: give the name of the folder that this learner hands in.",))
    if name.startswith("."):
        raise CourseError((f"--learner {learner!r}: a name that starts with a dot is skipped when a class is graded.",))
