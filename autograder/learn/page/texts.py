"""An exercise that is answered in words: the question, and the rubric by which its learner marks the text."""

from __future__ import annotations

import math
from collections.abc import Mapping

from autograder.course.errors import CourseError
from autograder.course.model import Course, Exercise
from autograder.learn.marking import NOTED
from autograder.learn.page.house import Form, field_of
from autograder.learn.page.lessons import markdown_html
from autograder.learn.progress import Progress
from autograder.texts.load import LINE, Text, load_text

NO_NUMBER = "{id}: type a number from 0 to {most:g}."


def question_html(course: Course, exercise: Exercise, source: str) -> str:
    """What is to be written. In a handout only the learner's own file, `source`, says it."""
    if course.released:
        head, line, _ = source.partition(LINE)
        return markdown_html(course, head.partition("\n")[2] if line else "")
    text = load_text(course, exercise)
    return markdown_html(course, f"{text.question}\n\nWrite {text.length}.")


def mark_own(progress: Progress, exercise: Exercise, text: Text, given: Mapping[str, str]) -> str:
    """Note what the learner gives their own text; the sentence that says so. Raises CourseError for what is no mark."""
    points = sum(_points(each.id, each.points, given.get(each.id, "")) for each in text.rubric)
    progress.note_self_mark(exercise, points)
    return NOTED.format(points=points, most=exercise.points)


def given(exercise: Exercise, form: Form) -> Mapping[str, str]:
    """What was typed for each criterion, to be shown again."""
    return {each.id: field_of(form, f"points-{each.id}") for each in exercise.checks}


def _points(id: str, most: float, typed: str) -> float:
    try:
        points = float(typed.replace(",", "."))
    except ValueError:
        points = math.nan
    if not 0 <= points <= most:  # what is no number neither
        raise CourseError((NO_NUMBER.format(id=id, most=most),))
    return points
