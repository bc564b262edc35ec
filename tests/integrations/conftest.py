"""A graded folder made of results that no polite class would give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from autograder.records import Result, Verdict
from autograder.report.rows import row, write_rows

Folder = Callable[[Sequence[Result]], Path]

VALUES = Verdict("values", True, True, 2.0, 2.0, "every amount grows")
CORNERS = Verdict("corners", False, False, 0.0, 1.0, "raised ValueError in line 3 (`<b>=x</b> & 1`)")
ROWS = (
    Result("ada", "k1_scale_recipe", 2.0, 3.0, "EXCEPTION", message="It stops.", checks=(VALUES, CORNERS)),
    Result("ada", "k2_heaviest", 0.0, 2.0, "NOT_SUBMITTED", message="k2_heaviest.py was not handed in.", attempts=0),
    Result(
        "=bo, \"the\" 'late'\none", "k1_scale_recipe", 1.6, 3.0, "EXCEPTION", message="=1+1", attempts=3, late_days=2,
        checks=(VALUES, CORNERS),
    ),
    Result("=bo, \"the\" 'late'\none", "k2_heaviest", 0.0, 2.0, "SYNTAX_ERROR", message="\x1b[31mred\x00 \u202eleft"),
    Result("cleo", None, 0.0, 5.0, "REFUSED", message="cleo.zip: is no archive", attempts=0),
    Result("d\u202eora", "k1_scale_recipe", 3.0, 3.0, "OK", message="long " * 20_000),
    Result("d\u202eora", "k2_heaviest", 2.0, 2.0, "OK"),
)  # fmt: skip
STRANGE = ROWS[2].learner


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Write results as a grading does."""

    def write(results: Sequence[Result]) -> Path:
        out = tmp_path / "marks"
        out.mkdir(exist_ok=True)
        write_rows(map(row, results), out / "results.jsonl")
        return out

    return write


@pytest.fixture
def marks(folder: Folder) -> Path:
    """The folder with all of them."""
    return folder(ROWS)
