"""The table of a class, whatever the number of exercises and the width of the terminal."""

from __future__ import annotations

import pytest

from autograder.records import Result
from autograder.report.class_table import ClassTable

EXERCISES = [(f"{stage}{number}_x", 4.0) for stage in "abcdef" for number in range(1, 6)]


def table(*results: Result) -> str:
    """What is drawn of these results."""
    drawn = ClassTable(EXERCISES)
    for result in results:
        drawn.add(result)
    return drawn.draw()


@pytest.fixture
def wide() -> str:
    """The table of a class that handed in thirty exercises, and of somebody whose upload was refused."""
    rows = [Result("ada", id, 3.25, most, "WRONG_VALUE", misconceptions=("mask-missing",)) for id, most in EXERCISES]
    return table(*rows, Result("bo", None, 0.0, 120.0, "REFUSED", message="bo.zip cannot be unpacked"))


def test_many_exercises(wide: str) -> None:
    """More exercises than fit beside each other are several tables; every number can be read."""
    for id, _ in EXERCISES:
        assert f" {id.partition('_')[0]}/4" in wide
    assert wide.count("3.25") == len(EXERCISES)
    assert "97.5" in wide
    assert "…" not in wide
    assert max(map(len, wide.splitlines())) <= 120


def test_what_to_talk_about_below_many_exercises(wide: str) -> None:
    """The words keep a place of their own, each learner's by name."""
    below = wide.partition("What to talk about:")[2]
    assert "ada: a1 mask-missing; a2 mask-missing; " in below
    assert "bo: refused: bo.zip cannot be unpacked" in below


def test_stubs_are_told_in_one_word() -> None:
    """What nobody has begun is no exception to talk about."""
    message = "f is not written yet."
    rows = [Result("ada", id, 0.0, 4.0, "EXCEPTION", message=message) for id in ("a1_x", "a2_x")]
    told = table(*rows)
    assert "not written yet: a1, a2" in told
    assert "EXCEPTION" not in told
