"""One check of a learner's file, noted in their progress: what `check` does once and `watch` on every save."""

from __future__ import annotations

from autograder import grading
from autograder.course.model import Course, Exercise
from autograder.course.stubs import NOT_WRITTEN
from autograder.learn.progress import Progress
from autograder.records import Result
from autograder.report.sheet import draw_sheet
from autograder.report.terminal import Progress as Bar
from autograder.report.terminal import draw_check
from autograder.sandbox.launch import Zygote

#: Verdicts after which nothing has been tried yet: Python cannot read the file, or the machine failed.
NO_TRY = ("SYNTAX_ERROR", "NOT_GRADED")


def check_source(
    course: Course, progress: Progress, exercise: Exercise, source: bytes, origin: str, zygote: Zygote | None = None
) -> tuple[Result, str]:
    """The result of a source, and what it printed. A zygote that runs already makes it fast; a quiz needs none.

    Raises CourseError where the exercise's library is missing, SandboxError where no worker can be started.
    """
    bar = Bar()
    try:
        if exercise.kind == "quiz":
            result, printed = grading.check_sheet(course, exercise, source, origin), ""
        else:
            result, printed = grading.check(course, exercise, source, origin, bar, zygote)
    finally:
        bar.close()
    untouched = NOT_WRITTEN in result.message and not result.points
    tried = b"" if untouched or result.verdict in NO_TRY else source
    progress.note_attempt(exercise, result.verdict == "OK", tried)
    return result, printed


def drawn(exercise: Exercise, result: Result, printed: str) -> str:
    """What the learner reads of it."""
    if exercise.kind == "quiz":
        return draw_sheet(result, exercise.title)
    return draw_check(result, exercise.title, printed, hidden=True)
