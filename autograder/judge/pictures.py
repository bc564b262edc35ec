"""Squares of numbers, where a picture says more than positions: masks and attention weights."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from autograder.judge.compare import compare
from autograder.judge.key import Key
from autograder.judge.messages import call, explain
from autograder.plain import Array
from autograder.records import Drawing, Observation, Observations, Picture, Probe

#: A larger square is no picture any more.
LARGEST = 12
#: So many squares of one answer are drawn.
MOST = 32
#: Two shares closer than this look alike.
VISIBLE = 0.005


def picture(key: Key, probe: Probe, got: Observation) -> Picture | None:
    """The square that came back and the wanted one, from a shown probe; None where there is no such thing to show.

    Of an answer with more axes the first square that is wrong is taken. Only where shares or truth values are wanted.
    """
    wanted, found = (each.parts.get("result") for each in (key.reference[probe.name], got))
    if not probe.shown or not isinstance(wanted, Array) or not isinstance(found, Array):
        return None
    target, yours = wanted.numpy(), found.numpy()
    rows, columns = target.shape[-2:] if target.ndim > 1 else (0, 0)
    if yours.shape != target.shape or rows != columns or not 2 <= rows <= LARGEST or not _drawable(target):
        return None
    if (
        (yours.dtype == bool) != (target.dtype == bool)
        or yours.dtype.kind not in "bf"
        or not _differ(yours, target).any()
    ):
        return None
    names = _names(key, "result", target)
    place = _first_wrong(yours, target)
    return Picture(_title(names, place), _listed(yours[place]), _listed(target[place]), names[-2], names[-1])


def drawings(key: Key, seen: Observations) -> tuple[list[Drawing], list[str]] | None:
    """The squares a submission answered to ordinary shown probes, right or wrong, and why others cannot be drawn.

    None for an exercise that asks for no masks and no attention patterns.
    """
    drawn, notes = [], []
    wanted = _wanted(key)
    for probe, part in wanted:
        got = seen.probes[probe.name]
        found = got.parts.get(part)
        values = found.numpy() if isinstance(found, Array) else None
        if got.outcome != "returned":
            notes.append(explain(key, probe, got, compare(key.reference[probe.name], got, probe, key.axes)))
        elif values is None or not _is_square(values):
            what = "no array" if values is None else f"shape {values.shape}"
            notes.append(f"{call(key, probe)} came back with {what}: only squares of 2 to {LARGEST} rows are drawn.")
        else:
            drawn.append(_drawing(call(key, probe), _names(key, part, values), values))
            if (more := values[..., 0, 0].size - MOST) > 0:
                notes.append(f"{call(key, probe)} came back with {more} squares more than are drawn.")
    return (drawn, list(dict.fromkeys(notes))) if wanted else None


def can_be_drawn(key: Key) -> bool:
    """Whether an exercise asks for masks or attention patterns."""
    return bool(_wanted(key))


def _wanted(key: Key) -> list[tuple[Probe, str]]:
    """The masks and patterns that an exercise asks for, each with the shown probe that asks."""
    probes = [probe for probe in key.probes if probe.shown and probe.ordinary]
    return [(probe, part) for probe in probes for part in _patterns(key.reference[probe.name])]


def _drawing(title: str, names: list[str], values: np.ndarray[Any, Any]) -> Drawing:
    places = list(islice(np.ndindex(values.shape[:-2]), MOST))
    squares = tuple((_title(names, place), _listed(values[place])) for place in places)
    return Drawing(title, squares, names[-2], names[-1], across=values.shape[-3] if values.ndim > 2 else 1)


def _patterns(wanted: Observation) -> list[str]:
    """The parts that are masks or attention patterns: truth values, or rows of shares that make up a whole."""
    return [part for part, value in wanted.parts.items() if isinstance(value, Array) and _is_pattern(value.numpy())]


def _is_pattern(values: np.ndarray[Any, Any]) -> bool:
    if not _is_square(values) or not _drawable(values):
        return False
    return values.dtype == bool or bool(np.allclose(values.astype(np.float64).sum(-1), 1, atol=0.02))


def _is_square(values: np.ndarray[Any, Any]) -> bool:
    rows, columns = values.shape[-2:] if values.ndim > 1 else (0, 0)
    return values.size > 0 and rows == columns and 2 <= rows <= LARGEST


def _names(key: Key, part: str, values: np.ndarray[Any, Any]) -> list[str]:
    """The name of each axis, counted from the last one; empty where it has none."""
    names = [*[""] * values.ndim, *key.axes.get(part, ())]
    return names[len(names) - values.ndim :]


def _title(names: list[str], place: tuple[int, ...]) -> str:
    return ", ".join(f"{name or 'axis'} {index}" for name, index in zip(names, place, strict=False))


def _drawable(values: np.ndarray[Any, Any]) -> bool:
    return values.dtype == bool or bool(values.dtype.kind == "f" and (values >= 0).all() and (values <= 1 + 1e-3).all())


def _differ(yours: np.ndarray[Any, Any], target: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Where a picture would show a difference."""
    with np.errstate(invalid="ignore"):
        near = np.isclose(yours.astype(np.float64), target.astype(np.float64), 0, VISIBLE)
    return np.asarray(~near)


def _first_wrong(yours: np.ndarray[Any, Any], target: np.ndarray[Any, Any]) -> tuple[int, ...]:
    wrong = _differ(yours, target).any(axis=(-2, -1))
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(wrong)), wrong.shape)) if wrong.ndim else ()


def _listed(square: np.ndarray[Any, Any]) -> tuple[tuple[float | bool | None, ...], ...]:
    if square.dtype == bool:
        return tuple(tuple(bool(x) for x in row) for row in square)
    return tuple(tuple(round(float(x), 4) if np.isfinite(x) else None for x in row) for row in square)
