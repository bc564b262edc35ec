"""The key of one exercise as a file of a handout: shown probes, what is answered to them, and no answer's code.

The file is a head and the two parts that the cache keeps too (`keyfile`): the observations of the model answer and of
every misconception, and those of two misconceptions at once. It is compressed as a whole so that nobody reads by
accident what was not meant to be read. Of code it holds what looks at answers: measures and patterns.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.course.patterns import gathered
from autograder.judge.key import Key, Variant
from autograder.keyfile import Answers, pack_answers, pack_pairs, unpack_answers, unpack_pairs
from autograder.plain import Plain, as_plain
from autograder.records import Inside, Observation, Pattern, Probe
from autograder.sandbox import wire

NAME = "key"
FORMAT = 3
_PROBE = ("name", "check", "call", "ordinary", "gradient", "builds_on", "rtol", "atol", "any_precision")
_DIGEST = sha256().digest_size


def pack_key(key: Key, measures: str, patterns: Mapping[str, str]) -> bytes:
    """The file for a key of shown probes.

    `measures` is source that defines the functions its probes measure with; `patterns` are the sources of its own
    patterns and of those that they borrow, by exercise.
    """
    key = replace(key, known_sketches=None)
    variants = [Variant(each.misconception, _told(key, each.answers)) for each in key.variants]
    answers = pack_answers(_told(key, key.reference), variants, key.sketches, level=0)
    pairs = pack_pairs(key.pairs, level=0) if key.pairs else b""
    head: Plain = {
        "format": FORMAT, "version": key.version, "axes": {part: list(names) for part, names in key.axes.items()},
        "measures": measures, "patterns": dict(patterns), "probes": [*map(_probe, key.probes)],
        "answers": len(answers), "pairs": len(pairs),
    }  # fmt: skip
    body = zlib.compress(wire.frame(head) + answers + pairs, 9)
    return sha256(body).digest() + body


def unpack(data: bytes) -> bytes:
    """All that is in a file. Raises ValueError where it is not to the last byte what was written."""
    digest, body = data[:_DIGEST], data[_DIGEST:]
    if digest != sha256(body).digest():
        raise ValueError("the digest does not fit")
    return zlib.decompress(body)


def asked(data: bytes) -> Plain:
    """What the shown checks of a file ask. Raises ValueError or KeyError where it is no such file."""
    head, _ = _parts(data)
    return [head["probes"], head["measures"]]


def read_key(course: Course, exercise: Exercise) -> Key:
    """The key of a released course. Raises CourseError where its file is missing, damaged or holds nothing to check."""
    path = course.folder(exercise) / NAME
    try:
        head, rest = _parts(path.read_bytes())
        if head["format"] != FORMAT:
            raise CourseError((f"{display(path)}: is from another version; install the one that the handout names.",))
        defined = _run(head["measures"], f"{display(path)} (measures)")
        probes = tuple(_probe_of(each, defined) for each in head["probes"])
        answers, pairs = rest[: head["answers"]], rest[head["answers"] :]
        if len(pairs) != head["pairs"]:
            raise ValueError("something is missing at the end")
        reference, variants, sketches = unpack_answers(answers)
        key = Key(
            exercise.id, exercise.defines[0], probes, reference, variants,
            {part: tuple(names) for part, names in head["axes"].items()}, head["version"], sketches,
            load_pairs=lambda: unpack_pairs(pairs) if pairs else None,
            patterns=_patterns(exercise.id, head["patterns"], f"{display(path)} (patterns)"),
        )  # fmt: skip
    except FileNotFoundError:
        raise CourseError((f"{display(path)}: is missing; get the handout again.",)) from None
    except (ValueError, KeyError, TypeError):
        raise CourseError((f"{display(path)}: is damaged; get the handout again.",)) from None
    if not probes:
        raise CourseError((f"{exercise.id}: can only be checked where the course is graded.",))
    return key


def _parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The head, and what stands after it."""
    whole = unpack(data)
    end = wire.HEADER.size + wire.payload_length(whole[: wire.HEADER.size])
    head: Any = wire.decode(whole[wire.HEADER.size : end])
    return head, whole[end:]


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


def _told(key: Key, answers: Answers) -> dict[str, Observation]:
    """The answers to the key's probes; the frames of an exception would quote the lines of whoever raised it."""
    found = {probe.name: answers[probe.name] for probe in key.probes}
    return {
        name: replace(each, raised=replace(each.raised, frames=())) if each.raised else each
        for name, each in found.items()
    }


def _patterns(exercise: str, sources: Mapping[str, str], name: str) -> tuple[Pattern, ...]:
    def listing(id: str, _: tuple[str, ...]) -> Sequence[Pattern | Inside]:
        listed: Sequence[Pattern | Inside] = _run(sources.get(id, ""), name).get("PATTERNS", ())
        return listed

    return tuple(gathered(exercise, listing))


def _run(source: str, name: str) -> dict[str, Any]:
    """What the course's own judging code defines. It was written by the course's author, like a driver."""
    defined: dict[str, Any] = {}
    if source:
        exec(compile(source, name, "exec", dont_inherit=True), defined)
    return defined
