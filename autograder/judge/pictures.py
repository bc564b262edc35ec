"""A square of numbers beside the right one, where a picture says more than positions: masks and attention weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.judge.key import Key
from autograder.records import Array, Observation, Picture, Probe

#: A larger square is no picture any more.
LARGEST = 12
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
    names = [*key.axes.get("result", ()), *[""] * target.ndim][: target.ndim]
    place = _first_wrong(yours, target)
    title = ", ".join(f"{name or 'axis'} {index}" for name, index in zip(names, place, strict=False))
    return Picture(title, _listed(yours[place]), _listed(target[place]), names[-2], names[-1])


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
