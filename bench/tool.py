"""What is compared: a tool that grades a class, and how its cost is split into starting and grading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.classroom import Learner
from bench.measure import Cost

Wrong = set[tuple[str, str]]
"""Learner and exercise of every answer that lost points."""


class Missing(Exception):
    """Raised when a tool cannot be measured here; its text says why."""


@dataclass(frozen=True)
class Sample:
    """What one grading of the class cost for each submission, in seconds."""

    submission: Cost
    """Starting included."""
    further: Cost
    """Without starting: what one more submission adds."""


@dataclass(frozen=True)
class Tool:
    """One row of the comparison. Everything a tool needs lies ready before it is measured."""

    title: str
    class_: Sequence[Learner]
    whole: Callable[[], Cost]
    """Grade the whole class from nothing."""
    one: Callable[[], Cost] | None = None
    """Grade a class of one; None where the tool starts anew for each submission."""
    found_wrong: Callable[[], Wrong] | None = None
    """What the last grading of the whole class found; None where nothing is judged."""

    def sample(self) -> Sample:
        """Grade a class of one and the whole class, one right after the other."""
        start = self.one() if self.one else None
        whole = self.whole()
        submission = whole / len(self.class_)
        return Sample(submission, (whole - start) / (len(self.class_) - 1) if start else submission)
