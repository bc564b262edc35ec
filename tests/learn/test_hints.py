"""Hints come one at a time, each after another try."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Run
from tests.learn.conftest import RIGHT, STUB, UPSIDE_DOWN, WRONG, answer


def test_the_next_hint_comes_after_another_try(kitchen: Path, headcount: Run) -> None:
    """The first is free; then a changed answer has to be checked, and the same one again does not count."""
    assert headcount("hint", cwd=kitchen).stdout == "Hint 1 of 3: How much flour does one person get?\n"
    again = headcount("hint", "k1", cwd=kitchen)
    assert again.returncode == 0
    assert f"Give the last hint a try first: change something in {STUB}" in again.stdout
    assert again.stdout.endswith("\nHint 1 of 3: How much flour does one person get?\n")
    answer(kitchen, WRONG)
    headcount("check", "k1", cwd=kitchen)
    assert headcount("hint", "k1", cwd=kitchen).stdout.startswith("Hint 2 of 3: Divide by the persons")
    headcount("check", "k1", cwd=kitchen)
    assert "Give the last hint a try first" in headcount("hint", "k1", cwd=kitchen).stdout
    answer(kitchen, UPSIDE_DOWN)
    headcount("check", "k1", cwd=kitchen)
    assert headcount("hint", "k1", cwd=kitchen).stdout == "Hint 3 of 3: One line, amounts times a ratio.\n"


def test_after_the_last_hint_all_are_told_again(kitchen: Path, headcount: Run) -> None:
    """Nothing is withheld that was told before; once solved nobody has to wait."""
    answer(kitchen, RIGHT)
    headcount("check", "k1", cwd=kitchen)
    for number in (1, 2, 3):
        assert headcount("hint", "k1", cwd=kitchen).stdout.startswith(f"Hint {number} of 3")
    told = headcount("hint", "k1", cwd=kitchen).stdout
    assert "You have seen all 3 hints for k1." in told
    assert [line[:11] for line in told.splitlines() if line.startswith("Hint")] == [f"Hint {n} of 3" for n in (1, 2, 3)]


def test_hints_show_in_the_list(kitchen: Path, headcount: Run) -> None:
    """The map says how many hints were taken and answers tried."""
    headcount("hint", "k1", cwd=kitchen)
    answer(kitchen, WRONG)
    headcount("check", "k1", cwd=kitchen)
    assert "next; 1 try; 1 hint; leads to k2" in headcount("list", cwd=kitchen).stdout
