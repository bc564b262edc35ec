"""A learner's way through it: own machine, shown probes, one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from socket import socket

from autograder import keys
from autograder.course.errors import CourseError
from autograder.course.model import Course, Exercise
from autograder.judge.key import Key
from autograder.judge.pictures import can_be_drawn
from autograder.ledger import Answer
from autograder.marking import for_learner, judged
from autograder.records import Observations, Result, Submission
from autograder.running import SEVERAL, run_alone, workers
from autograder.sandbox.launch import Zygote

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and how many there are (0 where nobody knows)."""
#: Verdicts behind which two misconceptions at once may be hidden.
UNEXPLAINED = ("WRONG_VALUE", "NAN")


def check(
    course: Course,
    exercise: Exercise,
    source: bytes,
    origin: str,
    progress: Progress = lambda *_: None,
    zygote: Zygote | None = None,
) -> tuple[Result, str]:
    """Judge one learner's file on the shown probes; the result, and what the file printed.

    A zygote that runs already, with the exercise's library, saves starting one. Raises CourseError where that library
    is not installed.
    """
    submission = Submission("you", exercise.id, source, origin)
    with _prepared(course, exercise, progress, zygote) as (key, lane):
        answer = _answered(course, key, submission, lane)
        result = judged(course, exercise, key, answer)
        if result.verdict in UNEXPLAINED and not result.misconceptions:
            progress("looking for two things at once", 0, 0)
            key = keys.compile_pairs(course, exercise, key, lane) or key
            result = judged(course, exercise, key, answer)
        return for_learner(course, exercise, answer, result, answer.received), answer.seen().printed


def answers(
    course: Course,
    exercise: Exercise,
    source: bytes,
    origin: str,
    progress: Progress = lambda *_: None,
    zygote: Zygote | None = None,
) -> tuple[Key, Observations]:
    """What one learner's file answers to the shown probes, without judging it, and the key to them.

    Raises CourseError where the file is no text, or the exercise's library is not installed.
    """
    submission = Submission("you", exercise.id, source, origin)
    with _prepared(course, exercise, progress, zygote) as (key, lane):
        answer = _answered(course, key, submission, lane)
    if answer.unreadable:
        raise CourseError((answer.unreadable,))
    return key, answer.seen()


def draws(course: Course, exercise: Exercise) -> bool | None:
    """Whether the right answer of an exercise can be drawn; None as long as its key is not compiled.

    Raises CourseError where its probes are broken.
    """
    if exercise.kind != "code":
        return False
    key = keys.compile_key(course, exercise, None, None)
    return None if key is None else can_be_drawn(key)


@contextmanager
def _prepared(
    course: Course, exercise: Exercise, progress: Progress, zygote: Zygote | None = None
) -> Iterator[tuple[Key, socket]]:
    """The key to the shown probes of one exercise, and a lane of workers for it."""
    key = keys.compile_key(course, exercise, None, None)
    with nullcontext(zygote) if zygote else workers([exercise], lanes=1, forks=1 if key else SEVERAL) as zygote:
        zygote.wait_ready()
        (lane,) = zygote.lanes
        if key is None:
            progress("preparing, once", 0, 0)
            key = keys.compile_key(course, exercise, None, lane)
        assert key
        yield key, lane


def run_and_judge(
    course: Course, exercise: Exercise, key: Key, submission: Submission, lane: socket
) -> tuple[Result, str]:
    """One submission through a worker of its own and the judge; the result, and what it printed."""
    answer = _answered(course, key, submission, lane)
    result = judged(course, exercise, key, answer)
    return for_learner(course, exercise, answer, result, answer.received), answer.seen().printed


def mark_alone(course: Course, exercise: Exercise, source: bytes, origin: str, zygote: Zygote | None = None) -> Result:
    """One file of code judged as in a class, on hidden probes too; nothing is written down.

    Raises CourseError where the answers are not here, as in a handout.
    """
    course.require_answers(exercise)
    with nullcontext(zygote) if zygote else workers([exercise], lanes=1) as zygote:
        (lane,) = zygote.lanes
        key = keys.compile_key(course, exercise, keys.course_secret(course), lane)
        assert key
        return run_and_judge(course, exercise, key, Submission("you", exercise.id, source, origin), lane)[0]


def _answered(course: Course, key: Key, submission: Submission, lane: socket) -> Answer:
    exercise = course.exercise(submission.exercise)
    asked = keys.asked(course, exercise, key.probes)
    return run_alone(keys.task_for(course, exercise, "", key.probes), submission, asked, lane)
