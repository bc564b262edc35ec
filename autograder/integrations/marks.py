"""What every export starts from: the rows of results.jsonl, gathered by learner."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

#: Verdicts that nobody's answer stands behind.
ABSENT, REFUSED, UNGRADED = "NOT_SUBMITTED", "REFUSED", "NOT_GRADED"
#: The verdict of a text that waits for a person.
UNMARKED = "TO_BE_MARKED"


@dataclass(frozen=True)
class Part:
    """What one check came to, or a whole exercise in which nothing could be checked."""

    name: str
    """``exercise::check``, or the exercise alone."""
    points: float
    """As they count: less what coming late cost."""
    max_points: float
    passed: bool
    shown: bool
    message: str
    verdict: str
    """Of the exercise that the part belongs to."""
    late_days: int = 0
    attempts: int = 1


@dataclass(frozen=True)
class Mark:
    """What one learner got for one exercise."""

    exercise: str
    points: float
    earned: float
    """Before anything was taken off for coming late."""
    max_points: float
    verdict: str
    message: str
    late_days: int
    attempts: int
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Marks:
    """Everything one learner got."""

    learner: str
    marks: tuple[Mark, ...]
    refused: str | None
    """Why the last upload was refused as a whole. Marks beside it are those of earlier attempts."""
    max_points: float

    @property
    def points(self) -> float:
        """What counts in the end."""
        return round(math.fsum(mark.points for mark in self.marks), 6)

    @property
    def earned(self) -> float:
        """The same before anything was taken off for coming late."""
        return round(math.fsum(mark.earned for mark in self.marks), 6)

    @property
    def parts(self) -> list[Part]:
        """All checks of all exercises, after one that says why the upload was refused, if it was."""
        found = [part for mark in self.marks for part in mark.parts]
        if self.refused is None:
            return found
        return [Part("upload", 0.0, 0.0 if found else self.max_points, False, True, self.refused, REFUSED), *found]


class Damaged(ValueError):
    """Raised when a row is not what a grading writes; the text says whose it is."""


def gather(rows: Iterable[Mapping[str, Any]]) -> list[Marks]:
    """The marks of every learner, in the order of the rows. Raises Damaged."""
    own: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        own.setdefault(row["learner"], []).append(row)
    return [_marks(learner, found) for learner, found in own.items()]


def _marks(learner: str, rows: list[Mapping[str, Any]]) -> Marks:
    try:
        refused = [row for row in rows if row["exercise"] is None]
        marks = tuple(_mark(row) for row in rows if row["exercise"] is not None)
        most = math.fsum(mark.max_points for mark in marks) if marks else _number(refused[0]["max_points"])
        return Marks(learner, marks, _text(refused[-1]["message"]) if refused else None, most)
    except (KeyError, TypeError, ValueError) as error:
        raise Damaged(f"a row of {learner!r} is damaged") from error


def _mark(row: Mapping[str, Any]) -> Mark:
    points, checks = _number(row["points"]), row["checks"]
    earned = math.fsum(_number(check["points"]) for check in checks) if checks else points
    kept = points / earned if earned else 1.0
    about: dict[str, Any] = {name: row[name] for name in ("verdict", "late_days", "attempts")}
    parts = tuple(
        Part(
            f"{row['exercise']}::{check['id']}", round(_number(check["points"]) * kept, 6),
            _number(check["max_points"]), check["passed"] is True, check["shown"] is not False, _text(check["message"]),
            **about,
        )
        for check in checks
    )  # fmt: skip
    most = _number(row["max_points"])
    if not parts:
        right = row["verdict"] == "OK"
        parts = (Part(row["exercise"], points, most, right, True, row["message"], **about),)
    return Mark(row["exercise"], points, earned, most, message=row["message"], parts=parts, **about)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value} is no text")
    return value


def _number(value: Any) -> float:
    """Points as a plain number. Raises ValueError for anything that no gradebook could hold."""
    number = float(value)
    if not math.isfinite(number) or number < 0:
        raise ValueError(f"{value} is no number of points")
    return number
