"""A learner's sheet of a quiz: answered one question at a time, and marked as often as they like."""

from __future__ import annotations

from pathlib import Path

from autograder import papers
from autograder.blank import blank
from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.files import write_whole
from autograder.learn.checking import check_source
from autograder.learn.progress import Progress
from autograder.quiz.draw import load_quiz
from autograder.quiz.fill import fill, typed
from autograder.quiz.mark import owner
from autograder.quiz.nodes import UnreadableSheet
from autograder.quiz.read import ANSWER, read_sheet
from autograder.quiz.refused import Refused
from autograder.records import Observations, Result, Verdict
from autograder.submissions.own import read_source
from autograder.submissions.text import UnreadableSource, decode

HANDOUT = "{file}: the answers are with your instructor. Type yours into this file; it is marked when it is handed in."


class Sheet:
    """One learner and one sheet, which is the file that can be edited by hand; made anew where it is missing."""

    def __init__(self, course: Course, progress: Progress, exercise: Exercise, path: Path) -> None:
        """Raises CourseError in a handout, and for a file that is no sheet."""
        if course.released:
            raise CourseError((HANDOUT.format(file=display(path)),))
        self.course, self.progress, self.exercise, self.path = course, progress, exercise, path
        self.quiz = load_quiz(course, exercise)
        if not path.exists() and path == course.stub_path(exercise):
            write_whole(path, [blank(course, exercise).encode()])
        self.drawn = self.quiz.draw(owner(self._seen()))

    def answers(self) -> dict[str, str]:
        """What stands on the sheet so far, by the names of the questions."""
        return typed(self._seen())

    def answer(self, name: str, answer: str) -> Verdict:
        """Put an answer onto the sheet at once, and mark it. Raises Refused for what is no answer to this question."""
        answer = " ".join(answer.encode("utf-8", "replace").decode().split())
        if len(answer) > ANSWER:
            raise Refused(f"{len(answer)} characters are far too many")
        self.drawn[name].mark(answer)
        # onto the sheet as it is now: it may be open in an editor, too
        write_whole(self.path, [fill(self.quiz, self._text(), name, answer).encode()])
        return next(each for each in self.noted().checks if each.id == name)

    def marked(self) -> Result:
        """The sheet as it is now, marked."""
        return papers.check_sheet(self.course, self.exercise, self._bytes(), display(self.path))

    def noted(self) -> Result:
        """The same, noted in the learner's progress."""
        return check_source(self.course, self.progress, self.exercise, self._bytes(), display(self.path))[0]

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
