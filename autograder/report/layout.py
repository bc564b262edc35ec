"""Where the squares of drawings lie on a page, in pixels: what SVG and PNG have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from autograder.records import Drawing
from autograder.report.grid import Row

CELL, BESIDE, LINE, BELOW = 18, 20, 18, 14
#: So many pixels wide a page may become before squares go on below; a label is as wide as its letters.
WIDEST, LETTER = 900, 7


@dataclass
class Page:
    """A page as large as what lies on it: squares by their left upper corner, texts by their first letter's foot."""

    squares: list[tuple[int, int, tuple[Row, ...]]] = field(default_factory=list)
    texts: list[tuple[int, int, str]] = field(default_factory=list)
    width: int = 1
    height: int = 1


def lay_out(drawings: Sequence[Drawing]) -> Page:
    """The squares of each drawing side by side below its title, one drawing below the other."""
    page, y = Page(), 0
    for drawing in drawings:
        page.texts.append((0, y + LINE - 4, drawing.title))
        page.width = max(page.width, LETTER * len(drawing.title))
        y += LINE
        size = CELL * len(drawing.squares[0][1])
        step = max(size, *(LETTER * len(label) for label, _ in drawing.squares)) + BESIDE
        beside = max(1, min(drawing.across, (WIDEST + BESIDE) // step))
        for place, (label, square) in enumerate(drawing.squares):
            x, top = place % beside * step, y + place // beside * (LINE + size + BELOW)
            page.texts += [(x, top + LINE - 4, label)] * bool(label)
            page.squares.append((x, top + LINE, square))
            page.width = max(page.width, x + step - BESIDE + 1)
        y += (1 + (len(drawing.squares) - 1) // beside) * (LINE + size + BELOW) + BELOW
    page.height = max(1, y - BELOW)
    return page
