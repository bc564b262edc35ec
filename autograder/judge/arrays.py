"""Two arrays: where they differ, in words, and what has been done to the one that came back."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

#: How far half precision may take a number from the right one: as a part of the largest of all, and of its own size.
HALF, OWN = 2e-3, 1e-2


def close(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], rtol: float, atol: float) -> np.ndarray[Any, Any]:
    """Which numbers agree within tolerance. NaN agrees with NaN, infinity with infinity of the same sign."""
    if a.dtype.kind not in "f" or b.dtype.kind not in "f":
        return np.asarray(a == b)
    with np.errstate(all="ignore"):
        a, b = a.astype(np.float64), b.astype(np.float64)
        near = np.isfinite(a) & (np.abs(a - b) <= atol + rtol * np.abs(a))
    return np.asarray(near | (a == b) | (np.isnan(a) & np.isnan(b)))


def where(wrong: np.ndarray[Any, Any], names: Sequence[str] = ()) -> str:
    """Which places are wrong, along the axis that tells most: where some places are all right and others are not."""
    named = [names[axis] if axis < len(names) else f"axis {axis}" for axis in range(wrong.ndim)]
    told = []
    for axis in range(wrong.ndim):
        bad = wrong.any(axis=tuple(other for other in range(wrong.ndim) if other != axis))
        if wrong.shape[axis] > 1 and bad.any() and not bad.all():
            told.append((int(min(bad.sum(), (~bad).sum())), -axis, named[axis], bad))
    if not told:
        return "wrong everywhere" if wrong.all() else "wrong in places"
    _, _, name, bad = min(told)
    good = [int(i) for i in np.flatnonzero(~bad)]
    spoiled = [int(i) for i in np.flatnonzero(bad)]
    kind, listed = ("right", good) if len(good) <= len(spoiled) else ("wrong", spoiled)
    ends = {0: "the first", bad.size - 1: "the last"}
    if len(listed) == 1 and listed[0] in ends:
        return f"{kind} only at {name} {listed[0]}, {ends[listed[0]]} of {bad.size}"
    return f"{kind} only at {name} {_ranges(listed)} (of 0-{bad.size - 1})"


def _ranges(numbers: list[int]) -> str:
    """[0, 1, 2, 5] as "0-2, 5"."""
    runs = []
    for _, group in itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        runs.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    return ", ".join(runs[:6]) + (", ..." if len(runs) > 6 else "")


def rearranged(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], names: Sequence[str]) -> str:
    """Whether the right numbers `a` are there under the other shape of `b`, and what was done to them."""
    if a.dtype != b.dtype or not a.size or not b.size or a.ndim > 5 or b.ndim > 7:
        return ""
    if [n for n in b.shape if n != 1] == [n for n in a.shape if n != 1]:
        if not alike(a.ravel(), b.ravel()):
            return ""
        what = "missing" if b.ndim < a.ndim else "too many" if b.ndim > a.ndim else "in another place"
        return f"; the numbers themselves are right, only axes of size 1 are {what}"
    for order in itertools.permutations(range(b.ndim)) if b.ndim == a.ndim else ():
        if tuple(b.shape[axis] for axis in order) == a.shape and alike(a, b.transpose(order)):
            told = [
                names[order.index(axis)] if len(names) == b.ndim else str(order.index(axis)) for axis in range(b.ndim)
            ]
            return f"; the numbers themselves are right, but the axes stand in the order ({', '.join(told)})"
    if a.size == b.size and alike(a.ravel(), b.ravel()):
        return "; the numbers themselves are right and in the right order, but cut into other axes"
    small, large = (b, a) if b.size < a.size else (a, b)
    with contextlib.suppress(ValueError):  # shapes that do not spread out to each other
        if alike(large, np.broadcast_to(small, large.shape)):
            return f"; the numbers themselves are right, but {'copied' if small is a else 'not copied'} along an axis"
    return ""


def rounded(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> str:
    """Whether `b` holds the right numbers `a` with fewer digits: cut to some behind the point, or to half precision."""
    if a.dtype.kind != "f" or b.dtype.kind != "f" or not np.isfinite(b).all() or not np.isfinite(a).all():
        return ""
    a, b = a.astype(np.float64), b.astype(np.float64)
    off = np.abs(a - b).max(initial=0)
    for digits in range(1, 5):
        cut = b * 10.0**digits
        if off <= 0.501 / 10**digits and np.abs(cut - cut.round()).max(initial=0) < 1e-2 and cut.any():
            return f"; they are the right numbers, rounded to {digits} digit{'s' * (digits > 1)} behind the point"
    few = off <= HALF * np.abs(a).max(initial=0) and (np.abs(a - b) <= OWN * np.abs(a)).all()
    return "; they are right to about three digits, as many as half precision has" if few else ""


def alike(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Whether all numbers of two arrays agree, up to the usual rounding."""
    return bool(close(a, b, 1e-5, 1e-5).all())
