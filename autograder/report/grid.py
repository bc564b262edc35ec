"""Squares in characters that differ by their shape: readable without colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from autograder.records import Drawing, Picture

Row: TypeAlias = Sequence[float | bool | None]

TRUE, FALSE = "■", "□"
#: The highest share for each shade. A share beyond all of them, or below 0, is OUTSIDE.
SHADES = ((0.005, "·"), (0.25, "░"), (0.5, "▒"), (0.75, "▓"), (1.005, "█"))
OUTSIDE, NAN, WRONG = "!", "?", "✗"
#: What stands between two squares of one drawing.
BETWEEN = "   "
#: Two shares closer than this look alike.
ALIKE = 0.005


def draw_picture(picture: Picture) -> list[str]:
    """Lines: a heading, the two squares with a cross between rows that differ, and what the marks mean."""
    width = max(2 * len(picture.target) - 1, len("yours"))
    title = f"   ({picture.title})" if picture.title else ""
    lines = [f"{'yours':{width}}     {'target':{width}}{title}"]
    for mine, goal in zip(picture.yours, picture.target, strict=True):
        cross = WRONG if differ(mine, goal) else " "
        lines.append(f"{' '.join(map(mark, mine)):{width}}  {cross}  {' '.join(map(mark, goal))}")
    return [line.rstrip() for line in [*lines, "", *legend(picture)]]


def mark(value: float | bool | None) -> str:
    """One character for a truth value or a share."""
    if value is None:
        return NAN
    if isinstance(value, bool):
        return TRUE if value else FALSE
    return next((shade for limit, shade in SHADES if -ALIKE <= value <= limit), OUTSIDE)


def differ(mine: Row, goal: Row) -> bool:
    """Whether two rows look different."""
    return any(
        (a is None) != (b is None) or (a is not None and b is not None and abs(a - b) > ALIKE)
        for a, b in zip(mine, goal, strict=True)
    )


def legend(picture: Picture) -> list[str]:
    """What rows, columns and marks mean, as far as they occur."""
    marks = _marks(value for square in (picture.yours, picture.target) for row in square for value in row)
    return [*_axes(picture.rows, picture.columns), f"{marks}  {WRONG} rows differ"]


def draw_drawing(drawing: Drawing, width: int) -> list[str]:
    """Lines of at most `width` characters where one square allows it: squares side by side, each below its label."""
    size = len(drawing.squares[0][1])
    wide = max(2 * size - 1, *(len(label) for label, _ in drawing.squares))
    beside = max(1, min(drawing.across, (width + len(BETWEEN)) // (wide + len(BETWEEN))))
    lines = [drawing.title, ""]
    for first in range(0, len(drawing.squares), beside):
        here = drawing.squares[first : first + beside]
        if any(label for label, _ in here):
            lines.append(BETWEEN.join(f"{label:{wide}}" for label, _ in here))
        for row in range(size):
            lines.append(BETWEEN.join(f"{' '.join(map(mark, square[row])):{wide}}" for _, square in here))
        lines.append("")
    marks = _marks(value for _, square in drawing.squares for row in square for value in row)
    return [line.rstrip() for line in [*lines, *_axes(drawing.rows, drawing.columns), marks]]


def _axes(rows: str, columns: str) -> list[str]:
    return [f"row: {rows}, column: {columns}"] if rows and columns else []


def _marks(values: Iterable[float | bool | None]) -> str:
    """What the marks of these values mean."""
    used = set(map(mark, values))
    if used <= {TRUE, FALSE}:
        return f"{TRUE} True  {FALSE} False"
    marks = "· 0  ░ up to 1/4  ▒ up to 1/2  ▓ up to 3/4  █ up to 1"
    return (
        marks + f"  {OUTSIDE} below 0 or above 1" * (OUTSIDE in used) + f"  {NAN} not a finite number" * (NAN in used)
    )
