"""A learner's own record, in a plain file beside the course: what is solved, tried, hinted at and revealed."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from autograder.course.errors import display
from autograder.course.model import Course, Exercise
from autograder.files import write_whole
from autograder.learn.files import free_name, locked


@dataclass(frozen=True)
class Record:
    """What is known about one exercise. Times are ISO 8601 in UTC, empty where it has not happened."""

    solved: bool = False
    attempts: int = 0
    """How often it was checked."""
    tries: tuple[str, ...] = ()
    """Digests of the different answers checked; an untouched stub, or a file that Python cannot read, is none."""
    hints: int = 0
    """How many hints were shown."""
    hinted_at: int = 0
    """How many tries there were when the last hint was shown."""
    revealed: bool = False
    """Whether the model answer was shown before the exercise was solved."""
    began: str = ""
    solved_at: str = ""
    self_marked: bool = False
    """Whether it is a text that its learner has marked."""
    self_points: float = 0.0
    """What they gave themselves last."""


class Progress:
    """`.headcount/progress.json` of a course folder; a missing file is a fresh start.

    Every change reads the file again under a lock and replaces it as a whole, so a crash loses nothing and two
    processes keep each other's entries. A damaged file is kept aside, and what can be read of it goes on. Where the
    file cannot be read or written the learner is told in one line, and nothing is raised: it stands in nobody's way.
    `say` is where such a line goes; standard error, if nothing else is said.
    """

    def __init__(self, course: Course, say: Callable[[str], None] | None = None) -> None:
        self.path: Path = course.root / ".headcount" / "progress.json"
        self.records: dict[str, Record] = {}
        self._say = say or partial(click.echo, err=True)
        self._told = False
        try:
            self.records, whole = self._read()
        except OSError as error:
            self._tell(f"{display(self.path)}: cannot be read ({error.strerror}), so nothing is known about you here.")
        else:
            if not whole:
                self._save(lambda records: None)

    def of(self, exercise: Exercise) -> Record:
        """What is known about this exercise; a blank record where nothing is."""
        return self.records.get(exercise.id, Record())

    def note_attempt(self, exercise: Exercise, solved: bool, tried: bytes = b"") -> None:
        """Count one check, and `tried`, the source of a real try. An exercise once solved stays solved."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        digest = _digest(tried) if tried else ""

        def change(record: Record) -> Record:
            new = (digest,) if digest and digest not in record.tries else ()
            record = replace(record, attempts=record.attempts + 1, tries=record.tries + new, began=record.began or now)
            return replace(record, solved=True, solved_at=record.solved_at or now) if solved else record

        self._change(exercise, change)

    def note_self_mark(self, exercise: Exercise, points: float) -> None:
        """The learner marked their own text; with any points at all it is done."""
        now = datetime.now(UTC).isoformat(timespec="seconds")

        def change(known: Record) -> Record:
            marked = replace(known, self_marked=True, self_points=float(points))
            return replace(marked, solved=True, solved_at=known.solved_at or now) if points else marked

        self._change(exercise, change)

    def note_hint(self, exercise: Exercise) -> None:
        """One more hint was shown."""
        self._change(exercise, lambda known: replace(known, hints=known.hints + 1, hinted_at=len(known.tries)))

    def note_reveal(self, exercise: Exercise) -> None:
        """The model answer was shown. After solving it is a comparison and nothing to be noted."""
        self._change(exercise, lambda known: replace(known, revealed=known.revealed or not known.solved))

    def next_up(self, course: Course) -> Exercise | None:
        """The first unsolved exercise whose needs are solved; None when everything is done."""
        open_ones = [exercise for exercise in course.exercises if not self.of(exercise).solved]
        ready = [e for e in open_ones if all(self.of(course.exercise(need)).solved for need in e.needs)]
        return next(iter(ready or open_ones), None)

    def _change(self, exercise: Exercise, change: Callable[[Record], Record]) -> None:
        def apply(records: dict[str, Record]) -> None:
            records[exercise.id] = change(records.get(exercise.id, Record()))

        self._save(apply)

    def _save(self, apply: Callable[[dict[str, Record]], None]) -> None:
        """Apply a change to what is known here and to what the file says by now, and write that down."""
        apply(self.records)
        try:
            self.path.parent.mkdir(exist_ok=True)
            with locked(self.path.with_suffix(".lock")):
                records, whole = self._read()
                if not whole:
                    self._set_aside()
                apply(records)
                plain = {id: asdict(record) for id, record in records.items()}
                write_whole(self.path, [json.dumps(plain, indent=1).encode()])
                self.records = records
        except OSError as error:
            self._tell(f"{display(self.path)}: cannot be written ({error.strerror}), so this was not noted.")

    def _read(self) -> tuple[dict[str, Record], bool]:
        """The entries that make sense, and whether all of them do. Raises OSError where the file cannot be read."""
        try:
            written = self.path.read_bytes()
        except FileNotFoundError:
            return {}, True
        try:
            stored = dict(json.loads(written))
        except (ValueError, TypeError, RecursionError):
            return {}, False
        records = {}
        for id, entry in stored.items():
            with contextlib.suppress(ValueError, TypeError):
                records[id] = _record(entry)
        return records, len(records) == len(stored)

    def _set_aside(self) -> None:
        kept = free_name(self.path.with_name("progress.damaged"))
        os.replace(self.path, kept)
        self._tell(f"{display(self.path)} was damaged. It is kept as {display(kept)}; what could be read goes on.")

    def _tell(self, line: str) -> None:
        """Say it once."""
        if not self._told:
            self._say(line)
        self._told = True


def _digest(source: bytes) -> str:
    """Tells answers apart; a changed comment or empty line makes no new answer."""
    lines = (line.rstrip() for line in source.splitlines())
    return sha256(b"\n".join(line for line in lines if line and not line.lstrip().startswith(b"#"))).hexdigest()[:12]


def _record(entry: Any) -> Record:
    """One stored entry. What an older version did not write is blank. Raises TypeError or ValueError for nonsense."""
    entry = dict(entry)
    known = {each.name: entry[each.name] for each in fields(Record) if each.name in entry}
    if isinstance(known.get("tries"), list):
        known["tries"] = tuple(known["tries"])
    record = Record(**known)
    typed = all(type(getattr(record, each.name)) is type(each.default) for each in fields(Record))
    if not typed or not all(isinstance(digest, str) for digest in record.tries):
        raise TypeError("no record of an exercise")
    if not min(record.attempts, record.hints, record.hinted_at, record.self_points) >= 0:  # not a number neither
        raise ValueError("a count below 0")
    return record
