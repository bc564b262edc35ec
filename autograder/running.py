"""From a submission to its answer: workers, and one file in one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from socket import socket

from autograder import keys
from autograder.course.errors import CourseError, installing
from autograder.course.model import Exercise
from autograder.ledger import Answer
from autograder.plain import Library
from autograder.records import Observations, Submission
from autograder.sandbox.launch import Zygote
from autograder.sandbox.run import Task, observe
from autograder.sandbox.start import start
from autograder.submissions.text import UnreadableSource, decode

#: How often a submission that the machine failed to run is tried again before it stays ungraded.
RETRIES = 2
NOTHING = Observations({})
#: Workers that a zygote is made for where nobody counts them.
SEVERAL = 10


@contextmanager
def workers(
    exercises: Iterable[Exercise], *, lanes: int, preload: Iterable[Library] = (), forks: int = SEVERAL
) -> Iterator[Zygote]:
    """A zygote that has imported what these exercises need, and of `preload` what is installed.

    `forks` says about how many workers are to come. For several of them the zygote builds beforehand what each would
    otherwise build again; a single one is faster without.
    """
    needed = {exercise.library for exercise in exercises}
    if "torch" in needed and keys.library_version("torch") == "none":
        raise CourseError((f"This needs torch, which is not installed here: {installing('torch')}",))
    libraries = {"numpy"} | needed | {name for name in preload if keys.library_version(name) != "none"}
    with start(lanes, sorted(libraries), forks=forks) as zygote:
        yield zygote


def opened(submission: Submission, asked: str) -> tuple[str | None, Answer]:
    """The text of a submission, None where it is none, and its answer as long as nothing has run."""
    text: str | None = None
    notice, unreadable = None, ""
    try:
        text, notice = decode(submission.source)
    except UnreadableSource as problem:
        unreadable = f"{submission.origin}: {problem}"
    answer = Answer(
        submission.learner, submission.exercise, submission.sha256, asked, submission.origin, submission.received,
        lambda: NOTHING, unreadable, (notice,) if notice else (), source=submission.source,
    )  # fmt: skip
    return text, answer


def run_alone(task: Task, submission: Submission, asked: str, lane: socket) -> Answer:
    """One submission in a worker of its own; tried again where the machine failed to run it."""
    text, answer = opened(submission, asked)
    if text is None:
        return answer
    task = replace(task, source=text)
    seen = observe(lane, task)
    for _ in range(RETRIES):
        if was_run(seen):
            break
        seen = observe(lane, task)
    return answered(answer, seen)


def answered(answer: Answer, seen: Observations) -> Answer:
    """The same answer with what was observed."""
    return replace(answer, seen=lambda: seen)


def was_run(seen: Observations) -> bool:
    """Whether the machine did its part; what the submission did is another matter."""
    return all(each.outcome != "not_run" for each in seen.probes.values())
