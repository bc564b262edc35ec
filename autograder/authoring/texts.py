"""Prove that a text is sound: question, rubric and model text agree with course.yaml and with each other."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.authoring import stubs
from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.texts.load import LINE, MODEL, QUESTION, load_text, sheet
from autograder.texts.mark import answer, count, length_note


def text_problems(course: Course, exercise: Exercise) -> Iterator[str]:
    """Everything that is wrong with one text. That the rubric's points add up is a rule of course.yaml already."""
    folder = course.folder(exercise)
    try:
        text = load_text(course, exercise)
        yield from stubs.drift(course, exercise)
    except CourseError as error:
        yield from error.problems
        return
    if note := length_note(text, count(text.model)):
        yield f"{display(folder / MODEL)}: the model text has {note}."
    if LINE in text.question or answer(sheet(text)):
        yield f"{display(folder / QUESTION)}: holds the line '{LINE}', below which the answer begins; leave it out."
