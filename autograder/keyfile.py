"""Compiled answers as bytes for the cache, and back. What many misconceptions answer alike is kept once."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from autograder.judge.key import Pairs, Variant
from autograder.judge.sketch import Sketches
from autograder.records import Array, Misconception, Observation, Plain
from autograder.sandbox import wire

#: What is kept of a misconception. Its code has been run and is not needed to judge.
FIELDS = ("slug", "family", "says", "entry", "step", "home", "line")
Answers = Mapping[str, Observation]


class Unreadable(ValueError):
    """Raised where stored bytes are not what was stored."""


def pack_answers(reference: Answers, variants: Sequence[Variant]) -> bytes:
    """What the model answer and every misconception answer."""
    known: dict[bytes, int] = {}
    table: list[Plain] = []
    for row in (reference, *(variant.answers for variant in variants)):
        frames = [wire.frame(observation.plain()) for observation in row.values()]
        table.append([known.setdefault(frame, len(known)) for frame in frames])
    listed: list[Plain] = [
        [*(getattr(variant.misconception, name) for name in FIELDS), list(variant.misconception.same_as)]
        for variant in variants
    ]
    return wire.frame([listed, table]) + b"".join(known)


def unpack_answers(data: bytes) -> tuple[dict[str, Observation], tuple[Variant, ...]]:
    """What `pack_answers` was given. Raises Unreadable for anything else."""
    try:
        (listed, table), *frames = _frames(data)
        observations = [Observation.from_plain(frame) for frame in frames]
        rows = [{each.probe: each for each in (observations[place] for place in places)} for places in table]
        wrong = [
            Misconception(**dict(zip(FIELDS, values, strict=True)), before="", wrong="", same_as=tuple(same_as))
            for *values, same_as in listed
        ]
        return rows[0], tuple(Variant(*each) for each in zip(wrong, rows[1:], strict=True))
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise Unreadable from error


def pack_pairs(members: Sequence[tuple[int, int]], sketches: Sketches, rows: Sequence[Answers]) -> bytes:
    """What pairs of misconceptions answer; each pair by itself, as few of them are ever looked at."""
    blobs = [zlib.compress(wire.encode([each.plain() for each in row.values()]), 1) for row in rows]
    ends = np.cumsum([0, *map(len, blobs)])
    tables: list[Plain] = [Array.of(np.array(members, np.int32).reshape(-1, 2)), Array.of(ends)]
    tables += [list(sketches.probes), Array.of(sketches.kinds), Array.of(sketches.means)]
    return wire.frame(tables) + b"".join(blobs)


def unpack_pairs(data: bytes) -> Pairs:
    """What `pack_pairs` was given. Raises Unreadable for anything else."""
    try:
        start = wire.HEADER.size + wire.payload_length(data[: wire.HEADER.size])
        head: Any = wire.decode(data[wire.HEADER.size : start])
        members, ends, probes, kinds, means = head
        places = [(int(first), int(second)) for first, second in members.numpy()]
        sketches = Sketches(tuple(probes), kinds.numpy(), means.numpy())
        borders = ends.numpy() + start
    except (ValueError, TypeError, AttributeError, IndexError) as error:
        raise Unreadable from error

    @lru_cache(maxsize=256)
    def answers(row: int) -> dict[str, Observation]:
        listed: Any = wire.decode(zlib.decompress(data[borders[row] : borders[row + 1]]))
        return {each.probe: each for each in map(Observation.from_plain, listed)}

    return Pairs(places, sketches, answers)


def _frames(data: bytes) -> Iterator[Any]:
    at, size = 0, wire.HEADER.size
    while at < len(data):
        end = at + size + wire.payload_length(data[at : at + size])
        yield wire.decode(data[at + size : end])
        at = end
