"""`headcount quiz`: one question at a time, in the terminal, onto the same sheet that can be edited by hand."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.learn.checking import head
from autograder.learn.progress import Progress
from autograder.learn.sheet import Sheet
from autograder.quiz.refused import Refused
from autograder.quiz.sheet import asked
from autograder.quiz.typed import LETTERS
from autograder.records import Result
from autograder.report.question import draw_answer, draw_question
from autograder.report.sheet import tally
from autograder.report.terminal import paragraphs, wrap

KEYS = (
    "Enter alone leaves a question for later, Ctrl-C stops. Every answer goes onto the sheet at once; nothing is lost."
)
AGAIN = "Every question has an answer. What is not right yet comes once more."
ALL_RIGHT = "Every answer is right."


class Asking:
    """One learner and one sheet."""

    def __init__(self, sheet: Sheet, *, plain: bool) -> None:
        self.sheet, self.exercise, self.drawn = sheet, sheet.exercise, sheet.drawn
        self.plain = plain

    def run(self) -> bool:
        """Ask what is open, or else what is not right yet; whether every answer is right in the end."""
        answered = self.sheet.answers()
        names, how = [name for name in self.drawn if name not in answered], KEYS
        if not names:
            names = [verdict.id for verdict in self.sheet.noted().checks if not verdict.passed]
            how = AGAIN if names else ALL_RIGHT
        lesson = paragraphs(self.sheet.quiz.lesson) if names else []  # every question leans on it, the second time too
        click.echo("\n".join([*head(self.exercise), *lesson, *wrap(how)]))
        try:
            for name in names:
                self._ask(name)
        except (click.Abort, KeyboardInterrupt):  # Ctrl-C, or nobody there to answer
            click.echo()
        result = self.sheet.marked()
        if names:
            click.echo("\n" + "\n".join(wrap(self._sum(result))))
        return result.verdict == "OK"

    def _ask(self, name: str) -> None:
        """Ask one question until its answer can be read, or is put off. Raises click.Abort for Ctrl-C."""
        question, place = self.drawn[name], list(self.drawn).index(name) + 1
        worth = next(check.points for check in self.exercise.checks if check.id == name)
        heading = f"Question {place} of {len(self.drawn)} ({worth:g} point{'' if worth == 1 else 's'})"
        choices = zip(LETTERS, question.options, strict=False)
        click.echo("\n" + draw_question(heading, asked(question), choices, question.how))
        if known := self.sheet.answers().get(name):
            click.echo(f"So far: {known}")
        while answer := str(click.prompt("Answer", default="", show_default=False)):
            try:
                verdict = self.sheet.answer(name, answer)
            except Refused as refusal:
                click.echo("\n".join(wrap(f"{refusal}.", "  ", "  ")))
                continue
            click.echo(draw_answer(verdict, plain=self.plain))
            return

    def _sum(self, result: Result) -> str:
        told = f"{tally(result)} They stand in {display(self.sheet.path)}."
        return told if result.verdict == "OK" else f"{told} `headcount quiz {self.exercise.short}` goes on from here."


def ask(course: Course, progress: Progress, exercise: Exercise, path: Path, *, plain: bool) -> bool:
    """Go through a quiz in the terminal; True when every answer is right.

    Raises CourseError for an exercise that is no quiz, for a handout, and for a file that is no sheet.
    """
    if exercise.kind != "quiz":
        known = ", ".join(each.short for each in course.exercises if each.kind == "quiz")
        raise CourseError((f"{exercise.short} is no quiz. Quizzes of this course: {known or 'none'}.",))
    return Asking(Sheet(course, progress, exercise, path), plain=plain).run()
