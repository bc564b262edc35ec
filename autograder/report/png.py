"""Squares as a PNG picture, written with the standard library alone: it can draw boxes and no letters."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

from autograder.records import Drawing
from autograder.report.layout import CELL, lay_out

_PAPER, _FRAME, _ODD = b"\xff\xff\xff", b"\xa0\xa0\xa0", b"\xd0\x40\x40"
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png_drawings(drawings: Sequence[Drawing]) -> bytes:
    """The squares where the SVG has them: the darker a cell, the more; what is no share from 0 to 1 is red."""
    page = lay_out(drawings)
    lines = [bytearray(_PAPER * page.width) for _ in range(page.height)]
    for left, top, square in page.squares:
        for row, values in enumerate(square):
            for column, value in enumerate(values):
                _box(lines, left + column * CELL, top + row * CELL, _ink(value))
    header = struct.pack(">IIBBBBB", page.width, page.height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + line for line in lines))
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _box(lines: list[bytearray], left: int, top: int, ink: bytes) -> None:
    for y in range(top, top + CELL + 1):
        inside = _FRAME * (CELL + 1) if y in (top, top + CELL) else _FRAME + ink * (CELL - 1) + _FRAME
        lines[y][3 * left : 3 * (left + CELL + 1)] = inside


def _ink(value: float | bool | None) -> bytes:
    if value is None or not -0.005 <= value <= 1.005:
        return _ODD
    return bytes([255 - round(255 * min(max(float(value), 0.0), 1.0))]) * 3


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
