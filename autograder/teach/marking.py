"""`headcount mark`: read the texts of a class and give them points, which the ledger keeps."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from autograder import grading
from autograder.course.errors import CourseError, did_you_mean
from autograder.course.load import find_course, load_course
from autograder.course.model import Course, Exercise
from autograder.ledger import Answer, Given, Ledger
from autograder.records import Result
from autograder.report.rows import replace_row
from autograder.report.rubric import draw_rubric
from autograder.report.terminal import wrap
from autograder.submissions.text import decode
from autograder.teach.commands import RESULTS, graded_folder
from autograder.texts.load import load_text
from autograder.texts.mark import answer as written
from autograder.texts.mark import words_in

_LONGEST = 2000


def mark(out: Path, learner: str | None, target: str | None, points: float | None, comment: str) -> None:
    """Without a learner: list the texts that wait. With one and an exercise: show the text, or note its points.

    Raises HeadcountError on bad input.
    """
    course = load_course(find_course(Path.cwd()))
    if points is None and comment:
        raise CourseError(("--comment goes with --points.",))
    with graded_folder(out) as ledger:
        if learner is None or target is None:
            if points is not None:
                raise CourseError(
                    ("--points: say whose, and for what: headcount mark DIR LEARNER EXERCISE --points 3",)
                )
            _list(course, ledger, learner)
            return
        exercise = course.find(target)
        answer = _handed_in(course, ledger, learner, exercise)
        if points is None:
            _show(course, ledger, answer, exercise)
            return
        if not 0 <= points <= exercise.points:
            raise CourseError((f"--points {points:g}: {exercise.id} has from 0 to {exercise.points:g} points.",))
        ledger.add_given(answer, Given(points, _one_line(comment)))
        result = next(each for each in _results(course, ledger, learner) if each.exercise == exercise.id)
        replace_row(out / RESULTS, result)
        click.echo(f"{learner}, {exercise.id}: {points:g} of {exercise.points:g} points.")


def _list(course: Course, ledger: Ledger, learner: str | None) -> None:
    waiting = [each for each in _results(course, ledger, learner) if each.verdict == "TO_BE_MARKED"]
    for each in waiting:
        click.echo(f"{each.learner}  {each.exercise}  {each.message} {'; '.join(each.flags)}".rstrip())
    click.echo(f"{len(waiting)} to be marked.")


def _results(course: Course, ledger: Ledger, learner: str | None = None) -> Iterable[Result]:
    results = grading.mark_class(grading.plan_texts(course), ledger)
    return (each for each in results if learner in (None, each.learner))


def _handed_in(course: Course, ledger: Ledger, learner: str, exercise: Exercise) -> Answer:
    """The text that the learner handed in last."""
    if exercise.kind != "text":
        raise CourseError((f"{exercise.id} is no text; `headcount grade` has marked it.",))
    handed = {each.learner: each for each in ledger.uploads()}
    if learner not in handed:
        raise CourseError((f"'{learner}' has handed in nothing here.{did_you_mean(learner, handed)}",))
    sha256 = handed[learner].sources.get(exercise.id)
    for answer in ledger.attempts(learner):
        same = (answer.exercise, answer.sha256) == (exercise.id, sha256)
        if same and not answer.unreadable and words_in(answer.seen()):
            return answer
    raise CourseError((f"'{learner}' has handed in no {exercise.file} with something in it to be read.",))


def _show(course: Course, ledger: Ledger, answer: Answer, exercise: Exercise) -> None:
    text = load_text(course, exercise)
    lines = wrap(_printable(written(decode(ledger.source(answer))[0])), "    ", "    ")
    click.echo("\n".join([f"{answer.origin}:", "", *lines, "", draw_rubric(text.rubric, text.model)]))
    if answer.given:
        click.echo(f"\nMarked: {answer.given.points:g} of {exercise.points:g} points. {answer.given.comment}".rstrip())


def _printable(text: str) -> str:
    """A stranger's text without what a terminal would obey."""
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text)


def _one_line(comment: str) -> str:
    line = " ".join(_printable(comment).split())
    if len(line) > _LONGEST:
        raise CourseError((f"--comment: {len(line)} characters are too many; {_LONGEST} fit.",))
    return line
