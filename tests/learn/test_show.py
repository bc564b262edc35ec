"""`headcount show`: the learner's own squares, drawn whether they are right or wrong."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import Run

FUTURE = "import numpy as np\ndef causal_mask(T):\n    return np.triu(np.ones((T, T), dtype=bool))\n"


@pytest.fixture
def mask(tmp_path: Path) -> Path:
    """A mask that hides the past."""
    path = tmp_path / "a1_causal_mask.py"
    path.write_text(FUTURE, "utf-8")
    return path


def test_a_wrong_mask_is_drawn_as_it_is(mask: Path, headcount: Run) -> None:
    """The picture shows what came back, and nothing of what was wanted."""
    run = headcount("show", mask)
    assert run.returncode == 0
    assert "causal_mask(T=4)\n\n■ ■ ■ ■\n□ ■ ■ ■\n□ □ ■ ■\n□ □ □ ■\n\nrow: query, column: key\n" in run.stdout
    assert "target" not in run.stdout


def test_a_mask_in_words(mask: Path, headcount: Run) -> None:
    """--plain says for each row where it is True."""
    told = headcount("show", mask, "--plain").stdout
    assert "causal_mask(T=4)\nquery 0: True at 0, 1, 2, 3.\nquery 1: True at 1, 2, 3.\n" in told
    assert told.isascii()


def test_pictures_in_files(mask: Path, headcount: Run) -> None:
    """The same squares as SVG and PNG; a picture may be written again."""
    svg, png = mask.with_name("m.svg"), mask.with_name("m.png")
    for _ in range(2):
        assert headcount("show", mask, "--svg", svg, "--png", png).returncode == 0
    root = ElementTree.parse(svg).getroot()
    cells = root.findall("{http://www.w3.org/2000/svg}rect")
    assert len(cells) == 4 * 4 + 9 * 9
    assert png.read_bytes().startswith(b"\x89PNG")


def test_nobodys_work_is_overwritten(mask: Path, headcount: Run) -> None:
    """A file that is no picture stays as it is."""
    run = headcount("show", mask, "--svg", mask)
    assert (run.returncode, "is no picture" in run.stderr) == (2, True)
    assert mask.read_text("utf-8") == FUTURE


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def causal_mask(T) return 1", "Python cannot read the file"),
        ("def causal_mask(T): raise NotImplementedError('causal_mask is not written yet')", "is not written yet"),
        ("def causal_mask(T): return [True]", "came back with no array"),
        ("import numpy as np\ndef causal_mask(T): return np.ones((T, 3, 0))", "came back with shape (4, 3, 0)"),
        ("import numpy as np\ndef causal_mask(T): return np.ones((T, 40, 40))", "came back with shape (4, 40, 40)"),
        ("import os\ndef causal_mask(T): os._exit(3)", "causal_mask(T=4)"),
    ],
    ids=["syntax", "stub", "list", "empty", "large", "exit"],
)
def test_what_cannot_be_drawn(mask: Path, headcount: Run, source: str, said: str) -> None:
    """It is said why, and no picture is written."""
    mask.write_text(source, "utf-8")
    run = headcount("show", mask, "--svg", mask.with_name("m.svg"))
    assert (run.returncode, said in run.stdout, "Traceback" in run.stderr) == (1, True, False), run.stdout
    assert not mask.with_name("m.svg").exists()


def test_odd_numbers_and_many_squares(mask: Path, headcount: Run) -> None:
    """What is no share has a sign of its own, and a heap of squares is cut short."""
    mask.write_text("import numpy as np\ndef causal_mask(T): return np.full((9, 9, T, T), np.nan)\n", "utf-8")
    said = headcount("show", mask).stdout
    assert "? ? ? ?" in said
    assert "came back with 49 squares more than are drawn" in " ".join(said.split())


@pytest.mark.parametrize("exercise", ["k1", "k2"])
def test_exercises_without_squares(kitchen: Path, headcount: Run, exercise: str) -> None:
    """One sentence says that there is nothing to draw."""
    run = headcount("show", exercise, cwd=kitchen)
    assert (run.returncode, run.stderr.count("\n"), "nothing to draw" in run.stderr) == (2, 1, True), run.stderr
