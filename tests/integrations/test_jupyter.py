"""`check` in the cell of a notebook, run by a real kernel."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, Run

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient", reason="the extra 'nbgrader' is not installed")

START = "from autograder.integrations.jupyter import check"
WRONG = "import numpy as np\n\ndef scale_recipe(amounts, written_for, guests):\n    return amounts * guests\n"
Cells = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def run_cells(tmp_path: Path) -> Cells:
    """Run these cells in a kernel whose folder is given; what each of them shows, by kind."""

    def run(*sources: str, cwd: Path, purpose: str = "", course: Path | None = None) -> list[dict[str, Any]]:
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in (START, *sources)])
        set_here = {"NBGRADER_EXECUTION": purpose, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        set_here |= {"HEADCOUNT_COURSE": str(course)} if course else {}
        client = nbclient.NotebookClient(
            book, timeout=120, allow_errors=True, kernel_name="python3", resources={"metadata": {"path": str(cwd)}}
        )
        client.create_kernel_manager()
        client.execute(env=os.environ | set_here)
        return [_shown(cell.outputs) for cell in book.cells[1:]]

    return run


def _shown(outputs: list[Any]) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for output in outputs:
        if output.output_type == "error":
            shown |= {"error": output.ename, "traceback": "\n".join(output.traceback)}
        shown |= output.get("data", {})
    return shown


@pytest.mark.slow
def test_a_cell_says_what_the_command_line_says(kitchen: Path, headcount: Run, run_cells: Cells) -> None:
    """The same text for the same source; imports and helpers of the cell count, those of other cells do not."""
    (kitchen / "exercises" / "k1_scale_recipe.py").write_text(WRONG)
    said = headcount("check", "k1", cwd=kitchen).stdout
    shown = run_cells(
        WRONG, "check('k1_scale_recipe', scale_recipe)",
        "helper = 2", "def scale_recipe(a, h, w):\n    return a * w / h * helper / 2\n", "check('k1', scale_recipe)",
        "check('k2_heaviest', len)", "check('k3', len)",
        "%time x = 1\n@staticmethod\ndef scale_recipe(a, h, w):\n    assert h\n    return a * w / h\n",
        "check('k1', scale_recipe)", "import json", "check('k1', json.dumps)",
        cwd=kitchen,
    )  # fmt: skip
    told = [each["text/plain"] for each in shown if "text/plain" in each]
    assert told[0].strip() == said.strip()
    assert "helper" in told[1]
    assert "NameError" in told[1]
    assert "No cell of this notebook defines" in told[2]
    assert "There is no exercise 'k3'" in told[3]
    assert "The 3 shown checks passed" in told[4]
    assert "No cell of this notebook defines" in told[5]
    assert "<pre" in shown[1]["text/html"]


@pytest.mark.slow
def test_the_picture_is_drawn(tmp_path: Path, run_cells: Cells) -> None:
    """Where the command line draws squares of characters, the cell shows them as a picture, and says the same."""
    for name in ("course.yaml", "solutions", "checkpoints"):
        (tmp_path / name).symlink_to(ROOT / name)
    _, shown = run_cells(
        "import numpy as np\n\ndef causal_mask(T):\n    return np.triu(np.ones((T, T), dtype=bool))\n",
        "check('a1_causal_mask', causal_mask)",
        cwd=tmp_path,
    )
    assert "yours" in shown["text/plain"]
    assert "<svg" in shown["text/html"]
    assert "yours" in shown["text/html"]
    assert shown["text/html"].count("yours") < shown["text/plain"].count("yours") + 2


@pytest.mark.slow
def test_what_nbgrader_gets(kitchen: Path, tmp_path: Path, run_cells: Cells) -> None:
    """Points with hidden probes where it grades, an error with the message where it validates; from any folder."""
    cells = (WRONG, "check('k1_scale_recipe', scale_recipe)", WRONG.replace("* guests", "* guests / written_for"))
    again = "check('k1_scale_recipe', scale_recipe)"
    _, wrong, _, right = run_cells(*cells, again, cwd=tmp_path, purpose="autograde", course=kitchen)
    assert (wrong["text/plain"], right["text/plain"]) == ("0.0", "2.0")
    _, wrong, _, _ = run_cells(*cells, again, cwd=tmp_path, purpose="validate", course=kitchen)
    assert wrong["error"] == "NotRight"
    assert "divide by written_for" in " ".join(wrong["traceback"].split())
