"""What a learner opens before anything is written in it: a stub, the sheet of a quiz, or a question."""

from __future__ import annotations

from autograder.course.errors import display
from autograder.course.files import solution_source
from autograder.course.model import Course, Exercise
from autograder.course.stubs import cut_stub


def blank(course: Course, exercise: Exercise) -> str:
    """The text of the file in exercises/: the model answer without its solution blocks, or questions.

    Raises ContentError where solutions/ does not hold it.
    """
    if exercise.kind == "quiz":
        from autograder.quiz.draw import load_quiz
        from autograder.quiz.sheet import sheet

        return sheet(load_quiz(course, exercise))
    if exercise.kind == "text":
        from autograder.texts import load

        return load.sheet(load.load_text(course, exercise))
    return cut_stub(solution_source(course, exercise), display(course.folder(exercise) / "solution.py"))
