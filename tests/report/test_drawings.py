"""Pictures as characters and as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from autograder.records import Picture
from autograder.report.grid import draw_picture, mark
from autograder.report.svg import svg_picture

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
