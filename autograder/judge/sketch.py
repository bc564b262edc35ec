"""A kind and a weighted mean for every answer. Answers that agree have the same kind and nearly the same mean.

Looking at these first tells which of hundreds of wrong answers are worth comparing in full.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from autograder.judge.compare import COARSE, measured
from autograder.plain import Array
from autograder.records import Observation, Probe

#: Numbers weighed at a time: a large answer is never copied as a whole.
PIECE = 1 << 14
#: At most 1, so that the mean is off by no more than the numbers are. Without them all rows of shares look alike.
#: They come again after so many, wherever in the first round a piece begins.
ROUND = 1009
WEIGHTS = np.resize(np.cos(np.arange(ROUND)), ROUND + PIECE)


class Sketch(NamedTuple):
    """What of an answer is looked at first."""

    kind: int
    """32 bits that answers in agreement share; -1 belongs to what agrees with nothing."""
    mean: float = 0.0
    """Of the finite numbers that came back, each times one of `WEIGHTS`."""
    size: float = 0.0
    """The mean of their absolute values."""


def sketch(observation: Observation, probe: Probe) -> Sketch:
    """The sketch of one answer. Never raises, whatever the answer holds."""
    if observation.outcome != "returned":
        said = (observation.raised.type, observation.raised.message) if observation.raised else observation.detail
        return Sketch(zlib.crc32(repr((observation.outcome, observation.stage, said)).encode()))
    try:
        answer = measured(observation.parts, probe)
        arrays, rest = list(_arrays(answer)), repr(_exact(answer))
    except Exception:  # a claim may hold anything; a measure need not foresee it
        return Sketch(-1)
    kinds, count, weighed, size = [], 0, 0.0, 0.0
    for array in arrays:
        finite = array[np.isfinite(array)]
        kinds.append((array.shape, finite.size))
        for start in range(0, finite.size, PIECE):
            piece = finite[start : start + PIECE].astype(np.float64)
            weighed += float(piece @ WEIGHTS[count % ROUND :][: piece.size])
            size += float(np.abs(piece).sum())
            count += piece.size
    kind = zlib.crc32(repr((kinds, rest)).encode("utf-8", "replace"))
    return Sketch(kind, weighed / count, size / count) if count else Sketch(kind)


def _arrays(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """All arrays of single or double precision: what is coarser may agree and have another mean."""
    if isinstance(value, Array) and value.dtype not in COARSE:
        value = value.numpy()
    if isinstance(value, np.ndarray) and value.dtype in (np.float32, np.float64):
        yield value
    elif isinstance(value, (Mapping, list, tuple)):
        items = [value[key] for key in sorted(value, key=repr)] if isinstance(value, Mapping) else value
        for item in items:
            yield from _arrays(item)


def _exact(value: Any) -> Any:
    """What has to be equal in answers that agree: all but floats and the numbers in arrays, which may be off."""
    if isinstance(value, Mapping):
        return sorted((repr(key), repr(_exact(item))) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return [_exact(item) for item in value]
    if isinstance(value, (Array, np.ndarray)):
        marks = value.numpy() if isinstance(value, Array) and value.dtype == "bool" else value
        return marks.tobytes() if isinstance(marks, np.ndarray) and marks.dtype == bool else ""
    return "" if isinstance(value, float) else (type(value).__name__, value)


@dataclass(frozen=True)
class Sketches:
    """The sketches of many answerers, one row each, with one column for each of `probes`."""

    probes: tuple[str, ...]
    kinds: np.ndarray[Any, Any]
    means: np.ndarray[Any, Any]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Observation]], probes: Sequence[Probe]) -> Sketches:
        """The sketches of answers to these probes."""
        made = [[sketch(row[probe.name], probe) for probe in probes] for row in rows]
        table = np.array(made, float).reshape(len(rows), len(probes), 3)
        return cls(tuple(probe.name for probe in probes), table[..., 0], table[..., 1])

    def near(self, answers: Mapping[str, Observation], probes: Sequence[Probe]) -> list[int]:
        """The rows that may agree with these answers on all these probes."""
        fits = np.ones(len(self.kinds), bool)
        for probe in probes:
            mine = sketch(answers[probe.name], probe)
            column = self.probes.index(probe.name)
            slack = 2 * (probe.atol + probe.rtol * mine.size)
            fits &= (self.kinds[:, column] == mine.kind) & (np.abs(self.means[:, column] - mine.mean) <= slack)
        return [int(row) for row in np.flatnonzero(fits)]
