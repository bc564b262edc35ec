"""The one place where the flow is wired: collect -> run -> judge -> results.

`check` is the learner's way through it (own machine, shown probes), `grade` the instructor's (a class, all probes).
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from socket import socket
from typing import TypeVar

import autograder
from autograder import keys
from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.judge.key import Key
from autograder.judge.score import judge
from autograder.records import Library, Observations, Result, Submission, Upload
from autograder.sandbox.run import Zygote, observe
from autograder.submissions.text import UnreadableSource, decode

Item = TypeVar("Item")
Done = TypeVar("Done")
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and how many there are."""


def check(course: Course, exercise: Exercise, source: bytes, origin: str) -> Result:
    """Judge one learner's file on the shown probes. Raises CourseError where the exercise's library is missing."""
    submission = Submission("you", exercise.id, source, origin)
    key = keys.compile_key(course, exercise, None, None)
    with workers([exercise], lanes=1, warm=key is None) as lanes:
        if key is None:
            key = keys.compile_key(course, exercise, None, lanes[0])
        assert key
        return run_and_judge(course, exercise, key, submission, lanes[0])


def grade(
    course: Course, uploads: Sequence[Upload], *, jobs: int, progress: Progress = lambda *_: None
) -> Iterator[Result]:
    """Judge a class on all probes. Results come in the order of uploads and exercises, whatever finishes first.

    Raises CourseError where a key cannot be compiled.
    """
    exercises = [exercise for exercise in course.exercises if exercise.kind == "code"]
    wanted = [e for e in exercises if any(s.exercise == e.id for upload in uploads for s in upload.submissions)]
    secret = course_secret(course)
    tensors = any(b"torch" in submission.source for upload in uploads for submission in upload.submissions)
    with workers(wanted, lanes=jobs, preload=("torch",) if tensors else ()) as lanes:
        compiled = _compile_all(course, wanted, secret, lanes, progress)
        total = sum(len(upload.submissions) for upload in uploads)

        def one(submission: Submission, lane: socket) -> Result:
            exercise = course.exercise(submission.exercise)
            return run_and_judge(course, exercise, compiled[exercise.id], submission, lane)

        todo = [submission for upload in uploads for submission in upload.submissions]
        done = _spread(one, todo, lanes)
        count = 0
        for upload in uploads:
            if upload.refused is not None:
                most = sum(exercise.points for exercise in exercises)
                yield Result(upload.learner, None, 0.0, most, "REFUSED", message=upload.refused)
                continue
            handed = {submission.exercise for submission in upload.submissions}
            results: dict[str, Result] = {}
            for _ in upload.submissions:
                result = next(done)
                results[str(result.exercise)] = result
                count += 1
                progress("grading", count, total)
            for exercise in exercises:
                if exercise.id in handed:
                    yield results[exercise.id]
                else:
                    yield Result(
                        upload.learner, exercise.id, 0.0, exercise.points, "NOT_SUBMITTED",
                        message=f"{exercise.id}.py was not handed in.", versions=versions(course),
                    )  # fmt: skip


def run_and_judge(course: Course, exercise: Exercise, key: Key, submission: Submission, lane: socket) -> Result:
    """One submission through a worker and the judge."""
    stamp = versions(course) | {"key": key.version}
    try:
        source, notice = decode(submission.source)
    except UnreadableSource as problem:
        return Result(
            submission.learner, exercise.id, 0.0, exercise.points, "SYNTAX_ERROR",
            message=f"{submission.origin}: {problem}", versions=stamp,
        )  # fmt: skip
    seen: Observations = observe(lane, keys.task_for(course, exercise, source, key.probes))
    result = judge(exercise, key, submission, seen, (notice,) if notice else ())
    return replace(result, versions=stamp)


@contextmanager
def workers(
    exercises: Iterable[Exercise], *, lanes: int, preload: Iterable[Library] = (), warm: bool = True
) -> Iterator[list[socket]]:
    """The lanes of a zygote that has imported what these exercises need, and of `preload` what is installed.

    A warm one has also built what many workers would otherwise build again and again; a single check is faster cold.
    """
    needed = {exercise.library for exercise in exercises}
    if "torch" in needed and keys.library_version("torch") == "none":
        raise CourseError(("This needs torch, which is not installed here: pip install -c constraints.txt torch",))
    libraries = {"numpy"} | needed | {name for name in preload if keys.library_version(name) != "none"}
    with Zygote(lanes, sorted(libraries), warm=warm) as zygote:
        yield zygote.lanes


def _compile_all(
    course: Course, exercises: Sequence[Exercise], secret: bytes, lanes: list[socket], progress: Progress
) -> dict[str, Key]:
    def one(exercise: Exercise, lane: socket) -> Key:
        key = keys.compile_key(course, exercise, secret, lane)
        assert key
        return key

    compiled: dict[str, Key] = {}
    for key in _spread(one, exercises, lanes):
        compiled[key.exercise] = key
        progress("preparing keys", len(compiled), len(exercises))
    return compiled


def _spread(work: Callable[[Item, socket], Done], items: Sequence[Item], lanes: list[socket]) -> Iterator[Done]:
    """Do the work on all lanes at once; what is done comes in the order of the items."""
    free: SimpleQueue[socket] = SimpleQueue()
    for lane in lanes:
        free.put(lane)

    def on_a_free_lane(item: Item) -> Done:
        lane = free.get()
        try:
            return work(item, lane)
        finally:
            free.put(lane)

    pool = ThreadPoolExecutor(len(lanes))
    try:
        yield from pool.map(on_a_free_lane, items)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def course_secret(course: Course) -> bytes:
    """What the hidden probes are drawn from: HEADCOUNT_SECRET, or a random one made once for this course folder."""
    if given := os.environ.get("HEADCOUNT_SECRET"):
        return given.encode()
    path = course.root / ".headcount" / "secret"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        pass
    try:
        path.parent.mkdir(exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_bytes()
    except OSError as error:
        mend = "Set HEADCOUNT_SECRET to any long random text instead."
        raise CourseError((f"{display(path)}: cannot be made ({error.strerror}). {mend}",)) from None
    made = secrets.token_hex(32).encode()
    with os.fdopen(handle, "wb") as file:
        file.write(made)
    return made


def versions(course: Course) -> dict[str, str]:
    """What a result depends on besides the submission."""
    return {
        "engine": autograder.__version__,
        "course": course.sha256[:12],
        "numpy": keys.library_version("numpy"),
        "torch": keys.library_version("torch"),
    }


def write_results(rows: Iterable[str], out: Path) -> Path:
    """Write results.jsonl as a whole or not at all; an earlier one stays until the new one is complete."""
    out.mkdir(parents=True, exist_ok=True)
    path, draft = out / "results.jsonl", out / ".results.jsonl.part"
    with open(draft, "w", encoding="utf-8") as file:
        for row in rows:
            file.write(row + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
    return path
