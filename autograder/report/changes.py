"""Old and new marks side by side, with what made the difference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.records import Result
from autograder.report.rows import read_row, unversioned


@dataclass(frozen=True)
class Change:
    """One mark that is not what it was."""

    learner: str
    exercise: str | None
    before: float | None
    after: float | None
    why: str


class Changes:
    """Collects what differs between the lines of an earlier results.jsonl and new ones.

    Both have the same order, but for what was added or taken away, so few earlier rows are in memory at a time.
    """

    def __init__(self, earlier: Iterable[str]) -> None:
        self._earlier = iter(earlier)
        self._passed: dict[tuple[str, str | None], Mapping[str, Any]] = {}
        self.found: list[Change] = []
        self.same = 0

    def compare(self, result: Result, line: str) -> None:
        """Take in the next result and its line."""
        before = next(self._earlier, "")
        if before and unversioned(before) == unversioned(line):
            self.same += 1
            return
        self._pass(before)
        place = (result.learner, result.exercise)
        while place not in self._passed and (before := next(self._earlier, "")):
            self._pass(before)
        old = self._passed.pop(place, None)
        if why := _why(old, result):
            points = None if old is None else old["points"]
            self.found.append(Change(result.learner, result.exercise, points, result.points, why))
        else:
            self.same += 1

    def finish(self) -> None:
        """Note what has no result any more."""
        for before in self._earlier:
            self._pass(before)
        for (learner, exercise), old in self._passed.items():
            self.found.append(Change(learner, exercise, old["points"], None, "gone"))

    def _pass(self, line: str) -> None:
        if old := read_row(line):
            self._passed[old["learner"], old["exercise"]] = old

    def as_data(self) -> list[dict[str, Any]]:
        """For a program: one object a change."""
        return [vars(change) for change in self.found]

    def draw(self) -> str:
        """A line for each change: who, what, old and new points, and why."""
        if not self.found:
            return f"No mark changes; {self.same} are as they were."
        who = max(len(change.learner) for change in self.found)
        what = max(len(str(change.exercise)) for change in self.found)
        lines = [f"{'learner':{who}}  {'exercise':{what}}  {'old':>5}  {'new':>5}  why"]
        for change in self.found:
            old, new = ("-" if points is None else f"{points:g}" for points in (change.before, change.after))
            lines.append(f"{change.learner:{who}}  {change.exercise or '':{what}}  {old:>5}  {new:>5}  {change.why}")
        marks = sum(change.before != change.after for change in self.found)
        told = [f"{marks} mark{'s change' if marks != 1 else ' changes'}"]
        if others := len(self.found) - marks:
            told.append(f"{others} result{'s differ' if others != 1 else ' differs'} in other ways")
        same = "1 result is as it was" if self.same == 1 else f"{self.same} results are as they were"
        return "\n".join([*lines, "", f"{', '.join([*told, same])}."])


def _why(old: Mapping[str, Any] | None, new: Result) -> str:
    """What differs, in words; empty where nothing a learner would notice does."""
    if old is None:
        return "new"
    reasons = []
    if old["verdict"] != new.verdict:
        reasons.append(f"{old['verdict']} is now {new.verdict}")
    before = {check["id"]: check for check in old["checks"]}
    for check in new.checks:
        earlier = before.pop(check.id, None)
        if earlier is None:
            reasons.append(f"check {check.id} is new")
        elif earlier["passed"] != check.passed:
            reasons.append(f"check {check.id} {'passes' if check.passed else 'fails'} now")
        elif earlier["max_points"] != check.max_points:
            reasons.append(f"check {check.id} is worth {check.max_points:g}, was {earlier['max_points']:g}")
    reasons += [f"check {id} is gone" for id in before] if new.checks else []
    if tuple(old["misconceptions"]) != new.misconceptions:
        reasons.append(f"named {_listed(new.misconceptions)}, was {_listed(old['misconceptions'])}")
    if old["late_days"] != new.late_days:
        reasons.append(f"{new.late_days} day{'s' * (new.late_days != 1)} late, was {old['late_days']}")
    if not reasons and old["points"] != new.points:
        reasons.append("another late penalty" if new.late_days else "another sum of points")
    if not reasons and old["message"] != new.message:
        reasons.append("another message")
    return "; ".join(reasons)


def _listed(slugs: Iterable[str]) -> str:
    return ", ".join(slugs) or "nothing"
