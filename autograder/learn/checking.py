"""One check of a learner's file, noted in their progress: what `check` does once and `watch` on every save."""

from __future__ import annotations

from autograder import checking
from autograder.course.model import Course, Exercise
from autograder.course.stubs import NOT_WRITTEN
from autograder.learn.progress import Progress
from autograder.records import Result
from autograder.report.bar import Bar
from autograder.report.sheet import draw_sheet
from autograder.report.spoken import say_check
from autograder.report.terminal import draw_check, wrap
from autograder.sandbox.launch import Zygote

#: Verdicts after which nothing has been tried yet: Python cannot read the file, or the machine failed.
NO_TRY = ("SYNTAX_ERROR", "NOT_GRADED")


def check_source(
    course: Course, progress: Progress, exercise: Exercise, source: bytes, origin: str, zygote: Zygote | None = None
) -> tuple[Result, str]:
    """The result of a source, noted, and what it printed. A zygote that runs already makes it fast.

    Raises CourseError where the exercise's library is missing, SandboxError where no worker can be started.
    """
    bar = Bar()
    try:
        result, printed = judge_source(course, exercise, source, origin, bar, zygote)
    finally:
        bar.close()
    note(progress, exercise, source, result)
    return result, printed


def note(progress: Progress, exercise: Exercise, source: bytes, result: Result) -> None:
    """Count a check, and its source where it was a real try."""
    progress.note_attempt(exercise, result.verdict == "OK", source if is_try(exercise, result) else b"")


def judge_source(
    course: Course,
    exercise: Exercise,
    source: bytes,
    origin: str,
    bar: checking.Progress,
    zygote: Zygote | None = None,
) -> tuple[Result, str]:
    """The result of a source, and what it printed. Only code needs a zygote. Raises as `check_source` does."""
    if exercise.kind == "code":
        return checking.check(course, exercise, source, origin, bar, zygote)
    from autograder import papers  # late: a check of code should start fast

    return papers.check(course, exercise, source, origin), ""


def is_try(exercise: Exercise, result: Result) -> bool:
    """Whether there was an answer to judge, and not only an untouched stub or an empty sheet."""
    if exercise.kind == "quiz":
        from autograder.quiz.mark import BLANK  # late, like all that a check of code does without

        untouched = all(BLANK in verdict.message for verdict in result.checks) and bool(result.checks)
    elif exercise.kind == "text":
        untouched = result.verdict == "NOT_DEFINED"
    else:
        untouched = NOT_WRITTEN in result.message and not result.points
    return not (untouched or result.verdict in NO_TRY)


def drawn(exercise: Exercise, result: Result, printed: str, *, plain: bool = False) -> str:
    """What the learner reads of it; plain sentences for a screen reader."""
    if plain:
        return say_check(result, exercise.title, printed, hidden=exercise.kind == "code")
    if exercise.kind == "quiz":
        return draw_sheet(result, exercise.title)
    if exercise.kind == "text":
        then = f" `headcount check {exercise.short}` shows what earns the points, and you mark your own."
        return "\n".join([*head(exercise), *wrap(result.message + then * (result.verdict == "TO_BE_MARKED"))])
    return draw_check(result, exercise.title, printed, hidden=True)


def head(exercise: Exercise) -> list[str]:
    """The first lines of what is said about an exercise."""
    return [f"{exercise.id}: {exercise.title}", ""]
