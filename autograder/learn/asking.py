"""`headcount quiz`: one question at a time, in the terminal, onto the same sheet that can be edited by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import click

from autograder import papers
from autograder.blank import blank
from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.files import write_whole
from autograder.learn.checking import check_source, head
from autograder.learn.progress import Progress
from autograder.quiz.draw import load_quiz
from autograder.quiz.fill import fill, typed
from autograder.quiz.mark import owner
from autograder.quiz.nodes import UnreadableSheet
from autograder.quiz.read import ANSWER, read_sheet
from autograder.quiz.refused import Refused
from autograder.quiz.sheet import asked
from autograder.quiz.typed import LETTERS
from autograder.records import Observations, Result
from autograder.report.question import draw_answer, draw_question
from autograder.report.sheet import tally
from autograder.report.terminal import wrap
from autograder.submissions.own import read_source
from autograder.submissions.text import UnreadableSource, decode

KEYS = (
    "Enter alone leaves a question for later, Ctrl-C stops. Every answer goes onto the sheet at once; nothing is lost."
)
AGAIN = "Every question has an answer. What is not right yet comes once more."
ALL_RIGHT = "Every answer is right."
HANDOUT = "{file}: the answers are with your instructor. Type yours into this file; it is marked when it is handed in."


class Asking:
    """One learner and one sheet."""

    def __init__(self, course: Course, progress: Progress, exercise: Exercise, path: Path, *, plain: bool) -> None:
        if course.released:
            raise CourseError((HANDOUT.format(file=display(path)),))
        self.course, self.progress, self.exercise, self.path = course, progress, exercise, path
        self.plain = plain
        self.quiz = load_quiz(course, exercise)
        if not path.exists() and path == course.stub_path(exercise):
            write_whole(path, [blank(course, exercise).encode()])
        self.drawn = self.quiz.draw(owner(self._seen()))

    def run(self) -> bool:
        """Ask what is open, or else what is not right yet; whether every answer is right in the end."""
        answered = typed(self._seen())
        names = [name for name in self.drawn if name not in answered]
        if names:
            click.echo("\n".join([*head(self.exercise), *self._lesson(), *wrap(KEYS)]))
        else:
            names = [verdict.id for verdict in self._noted().checks if not verdict.passed]
            click.echo("\n".join([*head(self.exercise), *wrap(AGAIN if names else ALL_RIGHT)]))
        try:
            for name in names:
                self._ask(name)
        except (click.Abort, KeyboardInterrupt):  # Ctrl-C, or nobody there to answer
            click.echo()
        result = papers.check_sheet(self.course, self.exercise, self._bytes(), display(self.path))
        if names:
            click.echo("\n" + "\n".join(wrap(self._sum(result))))
        return result.verdict == "OK"

    def _lesson(self) -> Iterator[str]:
        """Paragraphs filled to the width of the terminal, indented lines as the author wrote them."""
        for paragraph in self.quiz.lesson.split("\n\n"):
            for indented, group in groupby(paragraph.splitlines(), key=lambda line: line.startswith(" ")):
                lines = list(group)
                yield from lines if indented else wrap(" ".join(lines))
            yield ""

    def _ask(self, name: str) -> None:
        """Ask one question until its answer can be read, or is put off. Raises click.Abort for Ctrl-C."""
        question, place = self.drawn[name], list(self.drawn).index(name) + 1
        worth = next(check.points for check in self.exercise.checks if check.id == name)
        heading = f"Question {place} of {len(self.drawn)} ({worth:g} point{'' if worth == 1 else 's'})"
        choices = zip(LETTERS, question.options, strict=False)
        click.echo("\n" + draw_question(heading, asked(question), choices, question.how))
        if known := typed(self._seen()).get(name):
            click.echo(f"So far: {known}")
        while answer := str(click.prompt("Answer", default="", show_default=False)):
            answer = " ".join(answer.encode("utf-8", "replace").decode().split())
            try:
                if len(answer) > ANSWER:
                    raise Refused(f"{len(answer)} characters are far too many")
                question.mark(answer)
            except Refused as refusal:
                click.echo("\n".join(wrap(f"{refusal}.", "  ", "  ")))
                continue
            self._write(name, answer)
            click.echo(draw_answer(next(each for each in self._noted().checks if each.id == name), plain=self.plain))
            return

    def _sum(self, result: Result) -> str:
        told = f"{tally(result)} They stand in {display(self.path)}."
        return told if result.verdict == "OK" else f"{told} `headcount quiz {self.exercise.short}` goes on from here."

    def _noted(self) -> Result:
        """The sheet as it is now, marked, and noted in the learner's progress."""
        return check_source(self.course, self.progress, self.exercise, self._bytes(), display(self.path))[0]

    def _write(self, name: str, answer: str) -> None:
        """Put the answer onto the sheet as it is now: it may be open in an editor, too."""
        write_whole(self.path, [fill(self.quiz, self._text(), name, answer).encode()])

    def _bytes(self) -> bytes:
        return read_source(self.path, display(self.path))

    def _text(self) -> str:
        try:
            return decode(self._bytes())[0]
        except UnreadableSource as problem:
            raise CourseError((f"{display(self.path)}: {problem}",)) from None

    def _seen(self) -> Observations:
        try:
            return read_sheet(self._text(), self.exercise.id)
        except UnreadableSheet as problem:
            anew = f"`headcount reset {self.exercise.short}` gives a fresh sheet and keeps this one."
            raise CourseError((f"{display(self.path)}:{problem}. {anew}",)) from None


def ask(course: Course, progress: Progress, exercise: Exercise, path: Path, *, plain: bool) -> bool:
    """Go through a quiz in the terminal; True when every answer is right.

    Raises CourseError for an exercise that is no quiz, for a handout, and for a file that is no sheet.
    """
    if exercise.kind != "quiz":
        known = ", ".join(each.short for each in course.exercises if each.kind == "quiz")
        raise CourseError((f"{exercise.short} is no quiz. Quizzes of this course: {known or 'none'}.",))
    return Asking(course, progress, exercise, path, plain=plain).run()
