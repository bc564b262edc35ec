"""From an answer to its mark: judged, stamped with what that depends on, and less what lateness costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import autograder
from autograder import keys
from autograder.course.model import Course, Exercise
from autograder.judge.key import Key
from autograder.judge.late import kept_share, late_days
from autograder.judge.score import judge
from autograder.ledger import Answer
from autograder.records import Result, Submission


def judged(course: Course, exercise: Exercise, key: Key, answer: Answer) -> Result:
    """What an answer is worth, whoever gave it and whenever."""
    submission = Submission(answer.learner, exercise.id, b"", answer.origin)
    policy = course.ready_made_of(exercise).policy
    return stamped(
        course, exercise, key.version, answer, lambda: judge(exercise, key, submission, answer.seen(), policy)
    )


def stamped(course: Course, exercise: Exercise, version: str, answer: Answer, judged: Callable[[], Result]) -> Result:
    """The result of an answer, or why it cannot be read, with what that depends on."""
    if answer.unreadable:
        result = Result(answer.learner, exercise.id, 0.0, exercise.points, "SYNTAX_ERROR", message=answer.unreadable)
    else:
        result = judged()
    return replace(result, versions=versions(course) | {"key": version})


def for_learner(
    course: Course, exercise: Exercise, answer: Answer, result: Result, received: str | None, attempts: int = 1
) -> Result:
    """The same mark for this learner, less what handing in late costs."""
    rule = course.late_of(exercise)
    days = late_days(rule, answer.learner, received)
    points = round(result.points * kept_share(rule, days), 6)
    flags = (*answer.notes, *result.flags)
    return replace(result, learner=answer.learner, points=points, late_days=days, flags=flags, attempts=attempts)


def versions(course: Course) -> dict[str, str]:
    """What a result depends on besides the submission."""
    return {
        "engine": autograder.__version__,
        "course": course.sha256[:12],
        "numpy": keys.library_version("numpy"),
        "torch": keys.library_version("torch"),
    }
