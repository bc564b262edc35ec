"""Compile the key of an exercise: run the model answer and every misconception on its probes and keep what they answer.

They run in the same worker as any submission. A compiled key is cached by the content of everything it was made from.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import secrets
import socket
from collections.abc import Sequence
from functools import cache
from importlib import metadata

import autograder
from autograder.course import content
from autograder.course.cache import recall, store
from autograder.course.errors import ContentError, CourseError, display
from autograder.course.model import Course, Exercise
from autograder.handout import read_key
from autograder.judge.key import Key, Variant
from autograder.records import Observation, Probe, as_plain
from autograder.sandbox import wire
from autograder.sandbox.run import Task, observe_each

#: Raise when a key compiled by an older engine must not be used any more.
FORMAT = "1"
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL


def task_for(course: Course, exercise: Exercise, source: str, probes: Sequence[Probe]) -> Task:
    """The questions that a submission for this exercise is asked."""
    return Task(
        source=source,
        file=f"{exercise.id}.py",
        library=exercise.library,
        entry=exercise.defines[0],
        probes=probes,
        driver=content.driver_source(course, exercise),
        ready_made=course.ready_made_of(exercise).names,
        limits=course.limits_of(exercise),
    )


def compile_key(course: Course, exercise: Exercise, secret: bytes | None, lane: socket.socket | None) -> Key | None:
    """The key of one exercise, from the cache or by running its solution and misconceptions in workers of `lane`.

    `secret` draws the hidden probes; None leaves them out. Without a lane only the cache is asked, and None means that
    it holds no such key. Raises ContentError when the model answer does not run.
    """
    if course.released:
        return read_key(course, exercise)
    found = content.probe_set(course, exercise, secret=secret)
    probes = found.probes
    wrong = content.misconceptions(course, exercise)
    version = _version(course, exercise, secret)
    name = f"key-{version}"
    answers = _recalled(recall(name), 1 + len(wrong), probes)
    if answers is None:
        if lane is None:
            return None
        sources = [content.solution_source(course, exercise), *(each.source for each in wrong)]
        tasks = [task_for(course, exercise, source, probes) for source in sources]
        answers = [dict(seen.probes) for seen in observe_each(lane, tasks)]
        _require_running(course, exercise, probes, answers[0])
        store(name, b"".join(wire.frame([o.plain() for o in row.values()]) for row in answers))
    variants = tuple(Variant(each, row) for each, row in zip(wrong, answers[1:], strict=True))
    return Key(exercise.id, exercise.defines[0], probes, answers[0], variants, found.axes, version)


def course_secret(course: Course) -> bytes:
    """What the hidden probes are drawn from: HEADCOUNT_SECRET, or a random one made once for this course folder.

    Raises CourseError in a handout, which has none.
    """
    course.require_solutions()
    if given := os.environ.get("HEADCOUNT_SECRET", "").strip():
        return given.encode()
    path = course.root / ".headcount" / "secret"
    try:
        path.parent.mkdir(exist_ok=True)
        with contextlib.suppress(FileExistsError), open(os.open(path, NEW_FILE, 0o600), "wb") as file:
            file.write(secrets.token_hex(32).encode())
        found = path.read_bytes()
    except OSError as error:
        mend = "Set HEADCOUNT_SECRET to any long random text instead."
        raise CourseError((f"{display(path)}: cannot be read or made ({error.strerror}). {mend}",)) from None
    if not found.strip():
        raise CourseError((f"{display(path)}: is empty. Remove it, and the next grading makes a new one.",))
    return found


def fingerprint(secret: bytes) -> str:
    """Tells one secret from another and gives none away."""
    return hashlib.sha256(b"fingerprint of " + secret).hexdigest()[:16]


def _require_running(
    course: Course, exercise: Exercise, probes: Sequence[Probe], answers: dict[str, Observation]
) -> None:
    """A model answer may refuse a probe with an error; it may not fail to load, lack a name or run out of time."""
    problems = []
    for probe in probes:
        got = answers[probe.name]
        if got.outcome == "returned" or (got.outcome == "raised" and got.stage == "call" and not probe.ordinary):
            continue
        why = f"{got.raised.type}: {got.raised.message}" if got.raised else f"{got.outcome} {got.detail}".strip()
        line = f" in line {got.raised.frames[-1][0]}" if got.raised and got.raised.frames else ""
        problems.append(f"{display(course.folder(exercise) / 'solution.py')}: probe '{probe.name}': {why}{line}")
    if problems:
        raise ContentError(tuple(dict.fromkeys(problems)))


def _recalled(data: bytes | None, count: int, probes: Sequence[Probe]) -> list[dict[str, Observation]] | None:
    """The cached answers, or None where there are none for exactly these probes."""
    rows = []
    try:
        while data:
            end = wire.HEADER.size + wire.payload_length(data[: wire.HEADER.size])
            listed = wire.decode(data[wire.HEADER.size : end])
            assert isinstance(listed, list)
            rows.append({o.probe: o for o in map(Observation.from_plain, listed)})
            data = data[end:]
    except (ValueError, KeyError, TypeError, AssertionError):
        return None
    fits = len(rows) == count and all(list(row) == [probe.name for probe in probes] for row in rows)
    return rows if fits else None


def asked(course: Course, exercise: Exercise, probes: Sequence[Probe]) -> str:
    """Content hash of what a submission is asked and where: as long as it stays, observations can be judged again.

    What only the judge looks at (tolerances, measures, misconceptions, points) is not part of it.
    """
    digest = hashlib.sha256()
    libraries = [f"{name} {library_version(name)}" for name in ("numpy", "torch")]
    limits = repr(course.limits_of(exercise))
    driver = content.driver_source(course, exercise) or ""
    python = platform.python_version()
    for text in (FORMAT, autograder.__version__, python, *libraries, limits, repr(exercise.defines), driver):
        digest.update(text.encode() + b"\0")
    for probe in probes:
        digest.update(repr((probe.name, probe.call, probe.gradient, probe.scattered)).encode())
        digest.update(wire.encode({name: as_plain(value) for name, value in probe.inputs.items()}))
    if any(probe.callbacks for probe in probes):  # functions have no content to hash but their file's
        digest.update((course.folder(exercise) / "probes.py").read_bytes())
    return digest.hexdigest()[:32]


def _version(course: Course, exercise: Exercise, secret: bytes | None) -> str:
    """Content hash of everything a key depends on, the libraries that computed it included."""
    digest = hashlib.sha256()
    libraries = [f"{name} {library_version(name)}" for name in ("numpy", "torch")]
    for text in (FORMAT, autograder.__version__, *libraries, repr(exercise), repr(course.families)):
        digest.update(text.encode() + b"\0")
    for path in sorted(course.folder(exercise).glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(hashlib.sha256(b"hidden" + secret).digest() if secret else b"shown")
    return digest.hexdigest()[:32]


@cache
def library_version(name: str) -> str:
    """The installed version, without importing the library; "none" where it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "none"
