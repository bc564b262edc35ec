"""Compile the key of an exercise: run the model answer and every misconception on its probes and keep what they answer.

They run in the same worker as any submission. A compiled key is cached by the content of everything it was made from.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import platform
import secrets
import socket
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeAlias

import autograder
from autograder.course import content
from autograder.course.cache import recall, store, stored
from autograder.course.content import ProbeSet
from autograder.course.errors import ContentError, CourseError, display
from autograder.course.model import Course, Exercise
from autograder.handout import read_key
from autograder.judge.diagnose import distinct
from autograder.judge.key import Key, Pairs, Variant
from autograder.judge.pairs import probes_for_pairs, told_apart, worth_running
from autograder.judge.sketch import Sketches
from autograder.keyfile import Unreadable, pack_answers, pack_pairs, unpack_answers, unpack_pairs
from autograder.plain import as_plain
from autograder.records import Misconception, Observation, Probe
from autograder.sandbox import wire
from autograder.sandbox.run import Task, observe_each

#: Raise when a key compiled by an older engine must not be used any more.
FORMAT = "6"
Recalled: TypeAlias = tuple[Mapping[str, Observation], tuple[Variant, ...], Sketches]
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
    version = _version(course, exercise, secret, found.probes)
    known = _recalled(version, found.probes)
    if known is None:
        if lane is None:
            return None
        made = _run(course, exercise, found, lane)
        known = made.reference, made.variants, made.sketches
        store(f"key-{version}", pack_answers(*known))
    reference, variants, sketches = known
    entry, patterns = exercise.defines[0], content.patterns(course, exercise)
    return Key(exercise.id, entry, found.probes, reference, variants, found.axes, version, sketches, patterns=patterns)


def compile_pairs(course: Course, exercise: Exercise, key: Key, lane: socket.socket | None) -> Key | None:
    """The key together with what two misconceptions at once answer, from the cache or by running them.

    They are read when the first answer comes that no single misconception explains. Without a lane None means that the
    cache holds no such pairs.
    """
    if course.released:
        return key
    name = f"pairs-{key.version}"
    if stored(name):
        return replace(key, load_pairs=lambda: _pairs(recall(name)))
    if lane is None:
        return None
    data = _run_pairs(course, exercise, key, lane)
    store(name, data)
    return replace(key, load_pairs=lambda: _pairs(data))


def _run_pairs(course: Course, exercise: Exercise, key: Key, lane: socket.socket) -> bytes:
    """What two misconceptions at once answer, as bytes for the cache."""
    probes = probes_for_pairs(key)
    members = worth_running(key, probes)
    texts = {(each.home, each.line): each for each in content.misconceptions(course, exercise)}
    wrong = [texts[variant.misconception.home, variant.misconception.line] for variant in key.variants]
    tasks = [_task(course, exercise, probes, wrong[first], wrong[second]) for first, second in members]
    rows = [seen.probes for seen in observe_each(lane, tasks)]
    told = told_apart(key, probes, rows)
    rows, members = [rows[place] for place in told], [members[place] for place in told]
    return pack_pairs(Pairs(members, rows, Sketches.of(rows, probes)))


def _run(course: Course, exercise: Exercise, found: ProbeSet, lane: socket.socket) -> Key:
    """The key of one exercise, run."""
    probes = found.probes
    wrong = content.misconceptions(course, exercise)
    model = replace(task_for(course, exercise, content.solution_source(course, exercise), probes), ready_made=())
    tasks = [model, *(_task(course, exercise, probes, each) for each in wrong)]
    reference, *answers = (dict(seen.probes) for seen in observe_each(lane, tasks))
    _require_running(course, exercise, probes, reference)
    variants = tuple(Variant(*each) for each in zip(wrong, answers, strict=True))
    return distinct(Key(exercise.id, exercise.defines[0], probes, reference, variants))


def _task(course: Course, exercise: Exercise, probes: Sequence[Probe], *wrong: Misconception) -> Task:
    """The questions for a submission with these wrong answers in it."""
    task = task_for(course, exercise, wrong[0].before, probes)
    return replace(task, replacing=tuple(each.wrong for each in wrong), ready_made=())


def _recalled(version: str, probes: Sequence[Probe]) -> Recalled | None:
    """The cached answers of model and misconceptions, or None where there are none for exactly these probes."""
    data = recall(f"key-{version}")
    if data is None:
        return None
    try:
        known = unpack_answers(data)
    except Unreadable:
        return None
    return known if list(known[0]) == [probe.name for probe in probes] else None


def _pairs(data: bytes | None) -> Pairs | None:
    try:
        return None if data is None else unpack_pairs(data)
    except Unreadable:
        return None


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
        digest.update(repr((probe.name, probe.call, probe.gradient, probe.scattered)).encode() + b"alone" * probe.alone)
        digest.update(wire.encode({name: as_plain(value) for name, value in probe.inputs.items()}))
    if any(probe.callbacks for probe in probes):  # functions have no content to hash but their file's
        digest.update((course.folder(exercise) / "probes.py").read_bytes())
    return digest.hexdigest()[:32]


def _version(course: Course, exercise: Exercise, secret: bytes | None, probes: Sequence[Probe]) -> str:
    """Content hash of everything a key depends on, the libraries that computed it included.

    What the probes ask is part of it, because they may read files that lie elsewhere.
    """
    digest = hashlib.sha256(asked(course, exercise, probes).encode())
    libraries = [f"{name} {library_version(name)}" for name in ("numpy", "torch")]
    for text in (FORMAT, autograder.__version__, *libraries, repr(exercise), repr(course.families)):
        digest.update(text.encode() + b"\0")
    folders = [course.folder(exercise), *map(course.folder, content.takes_steps_from(course, exercise))]
    for path in (path for folder in folders for path in sorted(folder.glob("*.py"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(hashlib.sha256(b"hidden" + secret).digest() if secret else b"shown")
    return digest.hexdigest()[:32]


@cache
def library_version(name: str) -> str:
    """The installed version, without importing the library; "none" where it is not installed."""
    for entry in sys.path:  # by the name of its folder: to ask the library for such things takes as long as the rest
        for found in glob.glob(f"{glob.escape(entry)}/{name}-*.dist-info"):
            return os.path.basename(found).removeprefix(f"{name}-").removesuffix(".dist-info")
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "none"
