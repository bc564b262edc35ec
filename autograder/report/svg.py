"""Squares as inline SVG, for pages and notebooks. Title and description are read aloud."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from autograder.records import Drawing, Picture
from autograder.report.grid import Row, differ
from autograder.report.layout import CELL, lay_out

GAP, TOP = 34, 22
DARK = "The darker a cell, the more."


def svg_picture(picture: Picture) -> str:
    """An ``<svg>`` element that stands alone: the ink takes the colour of the text, wrong rows carry a cross."""
    size = len(picture.target) * CELL
    wrong = [index for index, rows in enumerate(zip(picture.yours, picture.target, strict=True)) if differ(*rows)]
    marks = [_cross(size + GAP / 2, TOP + (index + 0.5) * CELL) for index in wrong]
    parts = [
        f"<title>{escape(_title(picture))}</title>",
        f"<desc>{escape(_described(picture, wrong))}</desc>",
        f'<text x="0" y="{TOP - 8}">yours</text>',
        f'<text x="{size + GAP}" y="{TOP - 8}">target</text>',
        *square(picture.yours, 0),
        *square(picture.target, size + GAP),
        *marks,
    ]
    width, height = 2 * size + GAP + 1, TOP + size + 1
    return _svg(width, height, parts)


def svg_drawings(drawings: Sequence[Drawing]) -> str:
    """An ``<svg>`` element with the squares of each drawing side by side, one drawing below the other."""
    page = lay_out(drawings)
    parts = [
        f"<title>{escape('; '.join(drawing.title for drawing in drawings))}</title>",
        *(f'<text x="{x}" y="{y}">{escape(text)}</text>' for x, y, text in page.texts),
        *(cell for x, y, values in page.squares for cell in square(values, x, y)),
    ]
    return _svg(page.width, page.height, parts)


def _svg(width: float, height: float, parts: Iterable[str]) -> str:
    head = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"'
    style = 'font-family="sans-serif" font-size="12" fill="currentColor"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head} {style}>{"".join(parts)}</svg>'


def _title(picture: Picture) -> str:
    return "Yours and target" + (f", {picture.title}" if picture.title else "")


def _described(picture: Picture, wrong: list[int]) -> str:
    size = len(picture.target)
    rows = f"Rows that differ: {', '.join(map(str, wrong))} of 0 to {size - 1}." if wrong else "No row differs visibly."
    return f"Two squares of {size} by {size}{_axes(picture)}. {DARK} {rows}"


def caption(picture: Picture | Drawing) -> str:
    """How to read a picture, for whoever sees it."""
    return f"{_axes(picture).removeprefix(', ').capitalize()}. {DARK}" if _axes(picture) else DARK


def _axes(picture: Picture | Drawing) -> str:
    return f", row: {picture.rows}, column: {picture.columns}" if picture.rows and picture.columns else ""


def square(values: Sequence[Row], left: float, top: float = TOP) -> list[str]:
    """The cells of one square, as dark as their values; `left` and `top` are its upper left corner."""
    return [
        _cell(value, left + column * CELL, top + row * CELL)
        for row, line in enumerate(values)
        for column, value in enumerate(line)
    ]


def _cell(value: float | bool | None, x: float, y: float) -> str:
    """A box as dark as its value; what is no share from 0 to 1 gets a sign instead."""
    shade = 0.0 if value is None else min(max(float(value), 0.0), 1.0)
    frame = f'width="{CELL}" height="{CELL}" stroke="currentColor" stroke-opacity="0.4" fill-opacity="{shade:.2f}"'
    box = f'<rect x="{x:g}" y="{y:g}" {frame}/>'
    odd = "?" if value is None else "!" if not -0.005 <= value <= 1.005 else ""
    middle = f'x="{x + CELL / 2:g}" y="{y + CELL * 0.75:g}" text-anchor="middle"'
    return f"{box}<text {middle}>{odd}</text>" if odd else box


def _cross(x: float, y: float) -> str:
    return f'<text x="{x:g}" y="{y + 4:g}" text-anchor="middle">✗</text>'
