"""Compiled answers as bytes for the cache, and back. What many misconceptions answer alike is kept once.

Hundreds of answers are kept and few of them are ever compared in full, so each is decoded only when it is looked at.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from autograder.judge.key import Pairs, Variant
from autograder.judge.sketch import Sketches
from autograder.plain import Array, Plain
from autograder.records import Misconception, Observation
from autograder.sandbox import wire

#: What is kept of a misconception. Its code has been run and is not needed to judge.
FIELDS = ("slug", "family", "says", "entry", "step", "home", "alone", "proves", "line")
#: How many of them stay decoded: the last ones looked at, so that a large class takes no more memory than a small one.
KEPT = 16
Answers: TypeAlias = Mapping[str, Observation]


class Unreadable(ValueError):
    """Raised where stored bytes are not what was stored."""


class _Row(Mapping[str, Observation]):
    """What one answerer said, by probe; decoded when it is asked for."""

    def __init__(self, places: Mapping[str, int], look: Callable[[int], Observation]) -> None:
        self._places, self._look = places, look

    def __getitem__(self, probe: str) -> Observation:
        return self._look(self._places[probe])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def pack_answers(reference: Answers, variants: Sequence[Variant], sketches: Sketches, level: int = 1) -> bytes:
    """What the model answer and every misconception answer, with the sketches of the latter.

    `level` says how much work compressing is worth; at 0 nothing is, for what will be compressed as a whole.
    """
    listed: list[Plain] = [
        [*(getattr(variant.misconception, name) for name in FIELDS), list(variant.misconception.same_as)]
        for variant in variants
    ]
    return _pack([reference, *(variant.answers for variant in variants)], sketches, listed, level)


def unpack_answers(data: bytes) -> tuple[Answers, tuple[Variant, ...], Sketches]:
    """What `pack_answers` was given. Raises Unreadable for anything else."""
    listed, rows, sketches = _unpack(data)
    try:
        wrong = [
            Misconception(**dict(zip(FIELDS, values, strict=True)), before="", wrong="", same_as=tuple(same_as))
            for *values, same_as in listed
        ]
        return rows[0], tuple(Variant(*each) for each in zip(wrong, rows[1:], strict=True)), sketches
    except (ValueError, TypeError, IndexError) as error:
        raise Unreadable from error


def pack_pairs(pairs: Pairs, level: int = 1) -> bytes:
    """What pairs of misconceptions answer; `level` as in `pack_answers`."""
    return _pack(pairs.answers, pairs.sketches, [list(pair) for pair in pairs.members], level)


def unpack_pairs(data: bytes) -> Pairs:
    """What `pack_pairs` was given. Raises Unreadable for anything else."""
    listed, rows, sketches = _unpack(data)
    try:
        return Pairs(tuple((first, second) for first, second in listed), tuple(rows), sketches)
    except (ValueError, TypeError) as error:
        raise Unreadable from error


def _pack(rows: Sequence[Answers], sketches: Sketches, extra: list[Plain], level: int) -> bytes:
    known: dict[bytes, int] = {}
    probes = list(rows[0]) if rows else []
    table = np.zeros((len(rows), len(probes)), np.int32)
    for place, row in enumerate(rows):
        blobs = (zlib.compress(wire.encode(observation.plain()), level) for observation in row.values())
        table[place] = [known.setdefault(blob, len(known)) for blob in blobs]
    head: list[Plain] = [extra, list(probes), Array.of(table), Array.of(np.cumsum([0, *map(len, known)]))]
    head += [list(sketches.probes), Array.of(sketches.kinds), Array.of(sketches.means)]
    return wire.frame(head) + b"".join(known)


def _unpack(data: bytes) -> tuple[Any, list[Answers], Sketches]:
    try:
        start = wire.HEADER.size + wire.payload_length(data[: wire.HEADER.size])
        head: Any = wire.decode(data[wire.HEADER.size : start])
        extra, probes, table, ends, sketched, kinds, means = head
        borders = (ends.numpy() + start).tolist()
        places: list[list[int]] = table.numpy().tolist()
        sketches = Sketches(tuple(sketched), kinds.numpy(), means.numpy())
    except (ValueError, TypeError, AttributeError) as error:
        raise Unreadable from error

    @lru_cache(KEPT)
    def look(place: int) -> Observation:
        return Observation.from_plain(wire.decode(zlib.decompress(data[borders[place] : borders[place + 1]])))

    return extra, [_Row(dict(zip(probes, row, strict=True)), look) for row in places], sketches
