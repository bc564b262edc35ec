"""The key of one exercise as a file of a handout: shown probes, what is answered to them, and no answer's code.

The file is a row of wire frames, compressed so that nobody reads by accident what was not meant to be read. It holds
the inputs of the shown probes, the observations of the model answer and of every misconception, and the sentences.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.judge.key import Key, Variant
from autograder.records import Misconception, Observation, Plain, Probe, as_plain
from autograder.sandbox import wire

NAME = "key"
FORMAT = 1
#: Fields of a misconception that hold code; a handout has none of it.
CODE = ("before", "wrong")
_PROBE = ("name", "check", "call", "ordinary", "gradient", "rtol", "atol")
_DIGEST = sha256().digest_size


def pack_key(key: Key, measures: str) -> bytes:
    """The file for a key of shown probes. `measures` is source that defines the functions its probes measure with."""
    head: Plain = {
        "format": FORMAT, "version": key.version, "axes": {part: list(names) for part, names in key.axes.items()},
        "measures": measures, "probes": len(key.probes), "variants": len(key.variants),
    }  # fmt: skip
    rows = [key.reference, *(variant.answers for variant in key.variants)]
    frames: list[Plain] = [head, *map(_probe, key.probes), *(_wrong(variant.misconception) for variant in key.variants)]
    frames += [[_without_source(row[probe.name]).plain() for probe in key.probes] for row in rows]
    body = zlib.compress(b"".join(map(wire.frame, frames)), 9)
    return sha256(body).digest() + body


def unpack(data: bytes) -> bytes:
    """The frames of a file. Raises ValueError where it is not to the last byte what was written."""
    digest, body = data[:_DIGEST], data[_DIGEST:]
    if digest != sha256(body).digest():
        raise ValueError("the digest does not fit")
    return zlib.decompress(body)


def read_key(course: Course, exercise: Exercise) -> Key:
    """The key of a released course. Raises CourseError where its file is missing, damaged or holds nothing to check."""
    path = course.folder(exercise) / NAME
    try:
        head, *frames = _frames(path)
        if head["format"] != FORMAT:
            raise CourseError((f"{display(path)}: is from another version; install the one that the handout names.",))
        defined = _run(head["measures"], f"{display(path)} (measures)")
        count, wrong = head["probes"], head["variants"]
        probes = tuple(_probe_of(each, defined) for each in frames[:count])
        reference, *answers = (dict(map(_answer, row)) for row in frames[count + wrong :])
        variants = map(Variant, map(_wrong_of, frames[count : count + wrong]), answers)
        axes = {part: tuple(names) for part, names in head["axes"].items()}
        key = Key(exercise.id, exercise.defines[0], probes, reference, tuple(variants), axes, head["version"])
    except FileNotFoundError:
        raise CourseError((f"{display(path)}: is missing; get the handout again.",)) from None
    except (ValueError, KeyError, TypeError):
        raise CourseError((f"{display(path)}: is damaged; get the handout again.",)) from None
    if not probes:
        raise CourseError((f"{exercise.id}: can only be checked where the course is graded.",))
    return key


def _frames(path: Path) -> Iterator[Any]:
    data = memoryview(unpack(path.read_bytes()))
    while data:
        end = wire.HEADER.size + wire.payload_length(bytes(data[: wire.HEADER.size]))
        yield wire.decode(bytes(data[wire.HEADER.size : end]))
        data = data[end:]


def _probe(probe: Probe) -> Plain:
    if probe.callbacks or not probe.shown:
        raise ValueError(f"probe '{probe.name}' must not leave the grader")
    measure = probe.measure.__name__ if probe.measure else None
    inputs = {name: as_plain(value) for name, value in probe.inputs.items()}
    rest = {name: getattr(probe, name) for name in _PROBE}
    return {"inputs": inputs, "measure": measure, "scattered": list(probe.scattered), **rest}


def _probe_of(told: dict[str, Any], defined: Mapping[str, Any]) -> Probe:
    measure, scattered = told.pop("measure"), tuple(told.pop("scattered"))
    return Probe(why="", measure=defined[measure] if measure else None, scattered=scattered, **told)


def _wrong(misconception: Misconception) -> Plain:
    told = {field.name: getattr(misconception, field.name) for field in fields(Misconception)}
    return {name: as_plain(value) for name, value in told.items() if name not in CODE}


def _wrong_of(told: dict[str, Any]) -> Misconception:
    return Misconception(**told | {"same_as": tuple(told["same_as"])} | dict.fromkeys(CODE, ""))


def _without_source(observation: Observation) -> Observation:
    """The same answer; the frames of an exception would quote the lines of whoever raised it."""
    raised = observation.raised
    return replace(observation, raised=replace(raised, frames=())) if raised else observation


def _answer(told: Any) -> tuple[str, Observation]:
    observation = Observation.from_plain(told)
    return observation.probe, observation


def _run(source: str, name: str) -> dict[str, Any]:
    """What the course's own measuring code defines. It was written by the course's author, like a driver."""
    defined: dict[str, Any] = {}
    if source:
        exec(compile(source, name, "exec", dont_inherit=True), defined)
    return defined
