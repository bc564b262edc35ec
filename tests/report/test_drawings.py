"""Pictures as characters, as SVG and as PNG."""

from __future__ import annotations

import struct
import zlib
from xml.etree import ElementTree

import pytest

from autograder.records import Drawing, Picture
from autograder.report.grid import draw_drawing, draw_picture, mark
from autograder.report.png import png_drawings
from autograder.report.svg import svg_drawings, svg_picture

MASK = Picture("", ((True, True), (True, True)), ((True, False), (True, True)), "query", "key")
SHARES = Picture("head <1>", ((1.0, 0.0), (None, 1.5)), ((1.0, 0.0), (0.25, 0.75)))


def test_a_mask_in_characters() -> None:
    """The squares stand side by side, with a cross between rows that differ."""
    assert draw_picture(MASK) == [
        "yours     target",
        "■ ■    ✗  ■ □",
        "■ ■       ■ ■",
        "",
        "row: query, column: key",
        "■ True  □ False  ✗ rows differ",
    ]


def test_shares_in_characters() -> None:
    """Shades for shares, and a sign for what is none."""
    lines = draw_picture(SHARES)
    assert lines[1:3] == ["█ ·       █ ·", "? !    ✗  ░ ▓"]
    assert lines[-1].endswith("! below 0 or above 1  ? not a finite number  ✗ rows differ")


@pytest.mark.parametrize(
    ("value", "character"),
    [(0.0, "·"), (0.1, "░"), (0.4, "▒"), (0.6, "▓"), (1.0, "█"), (-0.2, "!"), (1.2, "!"), (None, "?"), (False, "□")],
)
def test_every_value_has_a_shape_of_its_own(value: float | bool | None, character: str) -> None:
    """What differs in size differs in shape, so no colour is needed."""
    assert mark(value) == character


def test_svg_is_read_aloud() -> None:
    """The element is well-formed, and its title and description say what the eye sees."""
    root = ElementTree.fromstring(svg_picture(SHARES))
    title, description = (root.find(f"{{http://www.w3.org/2000/svg}}{name}") for name in ("title", "desc"))
    assert root.get("role") == "img"
    assert title is not None
    assert title.text == "Yours and target, head <1>"
    assert description is not None
    assert "Rows that differ: 1 of 0 to 1." in str(description.text)


def test_svg_draws_every_cell() -> None:
    """Two squares of boxes, as dark as their values, and one cross for each wrong row."""
    root = ElementTree.fromstring(svg_picture(MASK))
    boxes = root.findall("{http://www.w3.org/2000/svg}rect")
    texts = [each.text for each in root.findall("{http://www.w3.org/2000/svg}text")]
    assert [float(str(box.get("fill-opacity"))) for box in boxes] == [1, 1, 1, 1, 1, 0, 1, 1]
    assert texts == ["yours", "target", "✗"]


HEADS = Drawing(
    "weights(x)",
    tuple((f"head {head}", ((1.0, 0.0), (0.5, share))) for head, share in enumerate((0.5, None, 1.5))),
    "query", "key", across=3,
)  # fmt: skip


def test_heads_stand_side_by_side() -> None:
    """As many as the width allows, each below its name."""
    wide = draw_drawing(HEADS, 80)
    assert wide[2:5] == ["head 0   head 1   head 2", "█ ·      █ ·      █ ·", "▒ ▒      ▒ ?      ▒ !"]
    narrow = draw_drawing(HEADS, 20)
    assert [line for line in narrow if "head" in line] == ["head 0   head 1", "head 2"]
    assert draw_drawing(HEADS, 1)[2:4] == ["head 0", "█ ·"]


def test_the_heads_of_one_text_are_kept_together() -> None:
    """However wide the page, the next text begins a new line."""
    two = Drawing("weights(x)", HEADS.squares[:2] * 2, across=2)
    assert sum("head 0   head 1" in line for line in draw_drawing(two, 200)) == 2


def test_svg_of_heads() -> None:
    """Well-formed, every cell a box, titles and labels in words."""
    root = ElementTree.fromstring(svg_drawings([HEADS, HEADS]))
    assert len(root.findall("{http://www.w3.org/2000/svg}rect")) == 2 * 3 * 4
    words = [each.text for each in root.findall("{http://www.w3.org/2000/svg}text")]
    assert words[:3] == ["weights(x)", "head 0", "head 1"]


def test_png_of_heads() -> None:
    """A sound file: sizes, checksums and as many pixels as they say, black for 1 and red for what is no share."""
    data = png_drawings([HEADS])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size : at + 12 + size]) == (zlib.crc32(name + body),)
        chunks[name] = body
        at += size + 12
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    pixels = zlib.decompress(chunks[b"IDAT"])
    assert len(pixels) == height * (3 * width + 1)
    colours = {pixels[y * (3 * width + 1) + 1 + 3 * x :][:3] for y in range(height) for x in range(width)}
    assert {b"\x00\x00\x00", b"\xff\xff\xff", b"\xd0\x40\x40"} <= colours
