"""What no worker runs: the sheets of quizzes, and texts that a person marks."""

from __future__ import annotations

from dataclasses import replace

from autograder.course.model import Course, Exercise
from autograder.ledger import Answer
from autograder.marking import stamped
from autograder.quiz import mark as sheets
from autograder.quiz import read as typed
from autograder.quiz.draw import Quiz, load_quiz
from autograder.quiz.nodes import UnreadableSheet
from autograder.records import Result, Submission
from autograder.running import answered, opened
from autograder.texts import mark as texts
from autograder.texts.load import Text, load_text

SHEET_FORMAT, TEXT_FORMAT = typed.FORMAT, texts.FORMAT


def check(course: Course, exercise: Exercise, source: bytes, origin: str) -> Result:
    """Judge one learner's sheet or text. Raises CourseError where the answers are not here, as in a handout."""
    return (check_sheet if exercise.kind == "quiz" else check_text)(course, exercise, source, origin)


def check_sheet(course: Course, exercise: Exercise, source: bytes, origin: str) -> Result:
    """Judge one learner's quiz, by the numbers that the sheet says it has: at home there is nobody to deceive.

    Raises CourseError where the answers are not here, as in a handout.
    """
    course.require_answers(exercise)
    quiz = load_quiz(course, exercise)
    answer = read_sheet(Submission("you", exercise.id, source, origin))
    return replace(mark_sheet(course, quiz, answer, sheets.owner(answer.seen())), learner="you")


def check_text(course: Course, exercise: Exercise, source: bytes, origin: str) -> Result:
    """How long one learner's text is: what it is worth they say themselves. One far too short or long is sent back.

    Raises CourseError where its rubric is not here, as in a handout.
    """
    course.require_answers(exercise)
    text = load_text(course, exercise)
    answer = read_text(Submission("you", exercise.id, source, origin))
    result = mark_text(course, text, answer)
    return texts.send_back(text, answer.seen(), result) if result.verdict == "TO_BE_MARKED" else result


def read_sheet(submission: Submission) -> Answer:
    """One sheet of a quiz: what was typed on it."""
    text, answer = opened(submission, SHEET_FORMAT)
    try:
        return answer if text is None else answered(answer, typed.read_sheet(text, submission.exercise))
    except UnreadableSheet as problem:
        return replace(answer, unreadable=f"{submission.origin}:{problem}.")


def read_text(submission: Submission) -> Answer:
    """One text: how long it is. The text itself is kept with every answer."""
    text, answer = opened(submission, TEXT_FORMAT)
    return answer if text is None else answered(answer, texts.read_text(text))


def mark_sheet(course: Course, quiz: Quiz, answer: Answer, learner: str) -> Result:
    """What a sheet is worth by the numbers of `learner`."""
    return stamped(
        course, quiz.exercise, quiz.version, answer,
        lambda: sheets.mark(course, quiz, answer.seen(), learner, answer.origin),
    )  # fmt: skip


def mark_text(course: Course, text: Text, answer: Answer) -> Result:
    """What a text is worth, where a person has said so."""
    given = answer.given
    points = min(given.points, text.exercise.points) if given else None  # the course may have come to give fewer
    comment = given.comment if given else ""
    return stamped(
        course, text.exercise, text.version, answer,
        lambda: texts.mark(text, answer.seen(), answer.learner, points, comment),
    )  # fmt: skip
