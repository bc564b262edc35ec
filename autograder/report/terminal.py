"""Results on a terminal: plain lines for one exercise, a table for a class. Readable without colour."""

from __future__ import annotations

import io
import shutil
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from autograder.course.model import short
from autograder.records import Result, Verdict
from autograder.report.grid import draw_picture

PASSED, FAILED, WAITING = "✓", "✗", "·"
PRINTED_LINES = 12
NAME_WIDTH = 24
#: Cells of the class table where nothing was handed in.
ABSENT = ("", "-")


def draw_check(result: Result, title: str, printed: str = "", *, hidden: bool) -> str:
    """What a learner reads after a check: one message, each check with its mark, and what their file printed.

    `hidden` says whether an instructor has more checks than were run here.
    """
    lines = [f"{result.exercise}: {title}", ""]
    lines += says_why(result)
    for verdict in result.checks:
        note = verdict.message if adds(verdict, result) else ""
        lines += wrap(f"{sign(verdict)} {verdict.id}" + (f": {note}" if note else ""), "  ", "      ")
    for flag in result.flags:
        lines += ["", *wrap(f"Note: {flag}")]
    if told := printed.strip().splitlines():
        shown = [f"    {line[:200]}" for line in told[:PRINTED_LINES]]
        more = [f"    ... and {len(told) - PRINTED_LINES} lines more"] if len(told) > PRINTED_LINES else []
        lines += ["", "Your file printed:", *shown, *more]
    lines += ["", count_passed(result, hidden=hidden)]
    return "\n".join(lines)


def says_why(result: Result) -> list[str]:
    """What is wrong, in words and where there is one as a picture, each with an empty line after it."""
    lines = [*wrap(result.message), ""] if result.message else []
    if result.picture:
        lines += [*(f"  {line}".rstrip() for line in draw_picture(result.picture)), ""]
    return lines


def waits(verdict: Verdict) -> bool:
    """Whether a check cannot pass before others do."""
    return verdict.message.startswith("counts once")


def count_passed(result: Result, *, hidden: bool) -> str:
    """How many checks passed, in a sentence; `hidden` says whether an instructor has more of them."""
    passed, count = sum(verdict.passed for verdict in result.checks), len(result.checks)
    what = "shown checks" if hidden else "checks"
    if not count:
        return "Nothing could be checked."
    if passed < count:
        return f"{passed} of {count} {what} passed."
    more = "; grading for a class asks more" * hidden
    return f"{'The' if hidden else 'All'} {count} {what} passed{more}."


def adds(verdict: Verdict, result: Result) -> bool:
    """Whether the check's own message says something that the result's message does not."""
    return not result.message.startswith(verdict.message)


def sign(verdict: Verdict) -> str:
    """The mark of one check."""
    return PASSED if verdict.passed else WAITING if waits(verdict) else FAILED


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
        yield from (f"Named {count} times: {slug}." for slug, count in self._most_named())

    def _table(self) -> list[str]:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
        table.add_column("learner", no_wrap=True)
        kept = [place for place, (id, _) in enumerate(self.exercises) if self._handed[id]]
        for id, most in (self.exercises[place] for place in kept):
            table.add_column(f"{short(id)}/{most:g}", justify="right", no_wrap=True)
        table.add_column("total", justify="right", no_wrap=True)
        table.add_column("what to talk about", overflow="fold")
        for name, *cells, total, talk in self._rows:
            table.add_row(*map(Text, (name, *(cells[place] for place in kept), total, talk)))
        nobody = [short(id) for id, _ in self.exercises if not self._handed[id]]
        return _lines(table) + ([f"Handed in by nobody: {', '.join(nobody)}"] if nobody else [])

    def _sums(self) -> list[str]:
        lines = ["exercise                            handed in   right   average"]
        for id, most in self.exercises:
            count = self._handed[id]
            marked = count - self._waiting[id]
            mean = f"{self._points[id] / marked:.2f} of {most:g}" if marked else "-"
            lines.append(f"{id:36}{count:>9}{self._right[id]:>8}   {mean}")
        return lines


def _lines(drawing: object) -> list[str]:
    """What rich draws, as plain lines."""
    from rich.console import Console

    width = max(shutil.get_terminal_size((120, 24)).columns, 100)
    console = Console(width=width, file=io.StringIO(), color_system=None, emoji=False, markup=False)
    with console.capture() as drawn:
        console.print(drawing)
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
    told = []
    for row in rows:
        stem = short(str(row.exercise))
        if row.misconceptions:
            joint = " = " if row.symptom else ", "  # answers of a quiz have no symptom in common
            told.append(f"{stem} {joint.join(row.misconceptions)}")
        elif row.verdict not in ("OK", "NOT_SUBMITTED", "MARKED"):
            told.append(f"{stem} {row.verdict}")
    return "; ".join(told)


def wrap(text: str, first: str = "", rest: str = "") -> list[str]:
    """Text as lines of bearable width, with what comes before the first line and before the others."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 110)
    lines = []
    for paragraph in text.splitlines() or [""]:
        lines += textwrap.wrap(paragraph, width, initial_indent=first, subsequent_indent=rest) or [""]
        first = rest
    return lines
