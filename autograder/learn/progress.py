"""A learner's own record of what is solved, in a plain file beside the course. Losing it loses no work."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from autograder.course.model import Course, Exercise


@dataclass(frozen=True)
class Record:
    """What is known about one exercise."""

    solved: bool = False
    attempts: int = 0


class Progress:
    """`.headcount/progress.json` of a course folder. A damaged or missing file counts as a fresh start."""

    def __init__(self, course: Course) -> None:
        self.path: Path = course.root / ".headcount" / "progress.json"
        self.records: dict[str, Record] = {}
        try:
            stored = json.loads(self.path.read_text("utf-8")) if self.path.is_file() else {}
            for id, fields in stored.items():
                self.records[id] = Record(bool(fields["solved"]), int(fields["attempts"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            self.records = {}

    def of(self, exercise: Exercise) -> Record:
        """What is known about this exercise; a blank record where nothing is."""
        return self.records.get(exercise.id, Record())

    def note_attempt(self, exercise: Exercise, solved: bool) -> None:
        """Count one attempt. An exercise once solved stays solved. A folder that cannot be written is left alone."""
        before = self.of(exercise)
        self.records[exercise.id] = replace(before, solved=solved or before.solved, attempts=before.attempts + 1)
        draft = self.path.with_suffix(".part")
        try:
            self.path.parent.mkdir(exist_ok=True)
            draft.write_text(json.dumps({id: asdict(r) for id, r in self.records.items()}, indent=1), "utf-8")
            os.replace(draft, self.path)
        except OSError:
            return

    def next_up(self, course: Course) -> Exercise | None:
        """The first unsolved exercise whose needs are solved; None when everything is done."""
        open_ones = [exercise for exercise in course.exercises if not self.of(exercise).solved]
        ready = [e for e in open_ones if all(self.of(course.exercise(need)).solved for need in e.needs)]
        return next(iter(ready or open_ones), None)
