"""Old and new marks side by side, with what made the difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.records import Result


@dataclass(frozen=True)
class Change:
    """One mark that is not what it was."""

    learner: str
    exercise: str | None
    before: float | None
    after: float | None
    why: str


class Changes:
    """Collects what differs between earlier rows of results.jsonl and new results that pass through `watch`."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._before = {(row["learner"], row["exercise"]): row for row in rows}
        self.found: list[Change] = []
        self.same = 0

    def watch(self, results: Iterable[Result]) -> Iterator[Result]:
        """The same results, compared on their way."""
        for result in results:
            old = self._before.pop((result.learner, result.exercise), None)
            why = _why(old, result)
            if why:
                before = None if old is None else old["points"]
                self.found.append(Change(result.learner, result.exercise, before, result.points, why))
            else:
                self.same += 1
            yield result
        for (learner, exercise), old in self._before.items():
            self.found.append(Change(learner, exercise, old["points"], None, "gone"))

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
        return "\n".join([*lines, "", f"{marks} marks change, {self.same} results are as they were."])


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
        reasons.append(f"{new.late_days} days late, was {old['late_days']}")
    if not reasons and old["points"] != new.points:
        reasons.append("another late penalty" if new.late_days else "another sum of points")
    if not reasons and old["message"] != new.message:
        reasons.append("another message")
    return "; ".join(reasons)


def _listed(slugs: Iterable[str]) -> str:
    return ", ".join(slugs) or "nothing"
