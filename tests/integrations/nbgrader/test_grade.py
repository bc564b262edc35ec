"""`headcount grade --nbgrader`: a class of students with every kind of notebook, graded into nbgrader's gradebook."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from tests.conftest import Run
from tests.integrations.nbgrader.conftest import (
    CARD, HEAVIEST, K1, K2, NAME, QUIZ, RIGHT, TEXT, WRONG, answered, cell_of, comments, hand_in, notebook, scores,
)  # fmt: skip


def grade(headcount: Run, folder: Path, *options: str) -> str:
    """Grade the folder with the real command; what it says on standard error."""
    run = headcount("grade", "--nbgrader", folder, *options, cwd=folder.parent)
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr
    return run.stderr


def test_x(market: Path, folder: Path, headcount: Run) -> None:
    book = answered(market, k1=RIGHT, k2=HEAVIEST, k4=CARD)
    hand_in(folder, "ada", book)
    print(grade(headcount, folder))
    print(scores(folder)); print(comments(folder))
    assert 0
