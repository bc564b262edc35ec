"""A class on a terminal: everybody's points, what to talk about, and what was named most often. Needs no colour."""

from __future__ import annotations

import io
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from autograder.course.model import short
from autograder.course.stubs import NOT_WRITTEN
from autograder.records import Result
from autograder.report.terminal import wrap

Cells: TypeAlias = Sequence[Sequence[str]]
NAME_WIDTH = 24
#: Cells where nothing was handed in.
ABSENT = ("", "-")
TALK = "what to talk about"
#: Columns that the words beside the points need at least, and those between two columns.
SHORTEST_TALK, GAP = 30, 3


class ClassTable:
    """Points of every learner for every exercise, and which misconceptions were named how often.

    Takes one result at a time, all of a learner in a row; a large class is summed up instead of listed.
    """

    MOST_ROWS = 60
    MOST_NAMED = 8

    def __init__(self, exercises: Sequence[tuple[str, float]]) -> None:
        self.exercises = exercises
        self.learners = 0
        self._rows: list[list[str]] = []
        self._named: Counter[str] = Counter()
        self._points: Counter[str] = Counter()
        self._right: Counter[str] = Counter()
        self._handed: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        self._current: list[Result] = []

    def add(self, result: Result) -> None:
        """Take in the next result."""
        if not self._current or self._current[0].learner != result.learner:
            self._finish()
            self.learners += 1
        self._current.append(result)
        if result.exercise and result.verdict != "NOT_SUBMITTED":
            self._named.update(result.misconceptions)
            self._handed[result.exercise] += 1
            self._points[result.exercise] += result.points  # type: ignore[assignment]
            self._right[result.exercise] += result.verdict == "OK"
            self._waiting[result.exercise] += result.verdict == "TO_BE_MARKED"

    def _finish(self) -> None:
        """Close the current learner's row."""
        if self._current and len(self._rows) <= self.MOST_ROWS:
            cells = {row.exercise: _cell(row) for row in self._current}
            total = sum(row.points for row in self._current)
            name = self._current[0].learner
            row = [
                name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 1]}…",
                *(cells.get(id, "") for id, _ in self.exercises),
                f"{round(total, 2):g}",
            ]
            self._rows.append([*row, _talk(self._current)])
        self._current = []

    def draw(self, *, plain: bool = False) -> str:
        """The table, or the sums of a class too large for one, and what was named most often; or all that in words."""
        self._finish()
        large = len(self._rows) > self.MOST_ROWS
        if plain:
            return "\n".join([*(self._said_sums() if large else self._said_rows()), *self._said_names()])
        lines = self._sums() if large else self._table()
        if self._named:
            lines += ["", "Named most often:"]
            lines += [f"  {n:3d}  {slug}" for slug, n in self._most_named()]
        return "\n".join(lines)

    def _most_named(self) -> list[tuple[str, int]]:
        return sorted(self._named.items(), key=lambda item: (-item[1], item[0]))[: self.MOST_NAMED]

    def _said_rows(self) -> Iterator[str]:
        for name, *cells, total, talk in self._rows:
            worth = zip(self.exercises, cells, strict=True)
            told = [f"{id.partition('_')[0]} {_said(cell, most)}" for (id, most), cell in worth if cell not in ABSENT]
            missing = len(cells) - len(told)
            parts = [f"{total} points", *told, *[f"{missing} not handed in"] * bool(missing)]
            yield f"{name}: {', '.join(parts)}." + (f" To talk about: {talk}." if talk else "")

    def _said_sums(self) -> Iterator[str]:
        for id, most in self.exercises:
            handed, marked = self._handed[id], self._handed[id] - self._waiting[id]
            mean = f", on average {self._points[id] / marked:.2f} of {most:g} points" if marked else ""
            yield f"{id}: handed in by {handed}, right {self._right[id]}{mean}."

    def _said_names(self) -> Iterator[str]:
        for slug, count in self._most_named():
            yield f"Named {'once' if count == 1 else f'{count} times'}: {slug}."

    def _table(self) -> list[str]:
        """All in one table where that fits; else the points in several, and the words below them."""
        from rich.cells import cell_len  # late, like all of rich

        kept = [place for place, (id, _) in enumerate(self.exercises) if self._handed[id]]
        heads = [
            "learner",
            *(f"{short(id)}/{most:g}" for id, most in (self.exercises[place] for place in kept)),
            "total",
        ]
        rows = [[row[0], *(row[1 + place] for place in kept), row[-2]] for row in self._rows]
        talks = [row[-1] for row in self._rows]
        widths = [max(map(cell_len, column)) + GAP for column in zip(heads, *rows, strict=True)]
        if sum(widths) + SHORTEST_TALK <= _width():
            lines = _drawn([*heads, TALK], [[*row, talk] for row, talk in zip(rows, talks, strict=True)])
        else:
            lines = []
            for block in _blocks(widths):
                lines += _drawn(*_only([0, *block], heads, rows))
            said = zip(rows, talks, strict=True)
            told = [line for (name, *_), talk in said if talk for line in wrap(f"{name}: {talk}", "  ", "    ")]
            lines += [f"{TALK.capitalize()}:", *told, ""] if told else []
        nobody = [short(id) for id, _ in self.exercises if not self._handed[id]]
        return lines + (wrap(f"Handed in by nobody: {', '.join(nobody)}") if nobody else [])

    def _sums(self) -> list[str]:
        lines = ["exercise                            handed in   right   average"]
        for id, most in self.exercises:
            count = self._handed[id]
            marked = count - self._waiting[id]
            mean = f"{self._points[id] / marked:.2f} of {most:g}" if marked else "-"
            lines.append(f"{id:36}{count:>9}{self._right[id]:>8}   {mean}")
        return lines


def _width() -> int:
    return max(shutil.get_terminal_size((120, 24)).columns, 100)


def _blocks(widths: Sequence[int]) -> Iterator[list[int]]:
    """The columns after the first, in as many blocks as it takes for each to fit beside the first."""
    block: list[int] = []
    for column in range(1, len(widths)):
        if block and widths[0] + sum(widths[each] for each in [*block, column]) > _width():
            yield block
            block = []
        block.append(column)
    yield block


def _only(columns: Sequence[int], heads: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[str], Cells]:
    return [heads[each] for each in columns], [[row[each] for each in columns] for row in rows]


def _drawn(heads: Sequence[str], rows: Cells) -> list[str]:
    """A table as plain lines: names and words to the left, points to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for head in heads:
        left = head in ("learner", TALK)
        table.add_column(
            head, justify="left" if left else "right", no_wrap=head != TALK, overflow="fold" if left else "ellipsis"
        )
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console(width=_width(), file=io.StringIO(), color_system=None, emoji=False, markup=False)
    with console.capture() as drawn:
        console.print(table)
    return [line.rstrip() for line in drawn.get().strip("\n").splitlines()]


def _cell(result: Result) -> str:
    if result.verdict == "NOT_SUBMITTED":
        return "-"
    if result.verdict == "TO_BE_MARKED":
        return "?"
    return f"{round(result.points, 2):g}" + "!" * (result.verdict == "NOT_GRADED")


def _said(cell: str, most: float) -> str:
    """A cell of the table in words."""
    if cell == "?":
        return "waits for a mark"
    return f"{cell.rstrip('!')} of {most:g}" + " and not graded" * cell.endswith("!")


def _talk(rows: Sequence[Result]) -> str:
    """The misconceptions of one learner, or the plainest trouble where none was named."""
    if refused := next((row for row in rows if row.verdict == "REFUSED"), None):
        return f"refused: {refused.message}"
    told, blank = [], []
    for row in rows:
        stem = short(str(row.exercise))
        if row.misconceptions:
            joint = " = " if row.symptom else ", "  # answers of a quiz have no symptom in common
            told.append(f"{stem} {joint.join(row.misconceptions)}")
        elif NOT_WRITTEN in row.message and not row.points:
            blank.append(stem)
        elif row.verdict not in ("OK", "NOT_SUBMITTED", "MARKED"):
            told.append(f"{stem} {row.verdict}")
    return "; ".join([*told, *[f"not written yet: {', '.join(blank)}"] * bool(blank)])
