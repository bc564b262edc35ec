"""Blocks of text in columns, as lessons have them for shapes, read as tables: they fit every width."""

from __future__ import annotations

import re

MOST = 3
_AFTER_SPACES = re.compile(r"(?<=  )\S")
_RUN = re.compile(r"\S {2,}\S")


def columns(text: str) -> list[list[str]] | None:
    """The rows of a block whose lines have 2 or 3 columns in common; None for a drawing, a list, or anything else.

    A line whose first column is empty goes on with the row above it.
    """
    lines = text.rstrip().split("\n")
    places = sorted({found.start() for line in lines for found in _AFTER_SPACES.finditer(line)})
    starts = [0, *(place for place in places if all(_starts(line, place) for line in lines))]
    if len(lines) < 2 or not 2 <= len(starts) <= MOST or lines[0].startswith(" "):
        return None
    rows: list[list[str]] = []
    for line in lines:
        ends = [*starts[1:], None]
        cells = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        if any(map(_RUN.search, cells)):
            return None
        if cells[0]:
            rows.append(cells)
        else:
            rows[-1] = [" ".join(filter(None, pair)) for pair in zip(rows[-1], cells, strict=True)]
    return rows


def _starts(line: str, place: int) -> bool:
    """Whether a column may start there: the line has ended, or there is a space before."""
    return len(line) <= place or line[place - 1] == " "
