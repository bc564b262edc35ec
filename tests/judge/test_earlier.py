"""A later exercise hears of the same fault in one it builds on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.course.model import Exercise
from autograder.judge.earlier import with_earlier
from autograder.records import Result


def exercise(id: str, *needs: str) -> Exercise:
    """An exercise and what it builds on."""
    return Exercise(id=id, title="t", stage="X", kind="code", points=1, minutes=1, lesson="l", needs=needs)


LADDER = [
    exercise("a1_mask"),
    exercise("b1_split"),
    exercise("c1_weights", "a1_mask"),
    exercise("d1_all", "c1_weights"),
]


def result(id: str, verdict: str = "WRONG_VALUE", *slugs: str, family: str | None = None) -> Result:
    """One result of a learner."""
    return Result("ada", id, 0, 1, verdict, misconceptions=slugs, family=family, message="It is wrong.")


@pytest.mark.parametrize(
    ("earlier", "later", "said"),
    [
        (
            result("a1_mask", "WRONG_VALUE", "mask-missing"),
            result("d1_all", "WRONG_VALUE", "mask-missing"),
            "It is wrong. Your a1_mask.py has the same mistake; mend it there first.",
        ),
        (
            result("a1_mask", family="mask"),
            result("d1_all", family="mask"),
            "It is wrong. Your a1_mask.py goes wrong in the same kind of step; mend it there first.",
        ),
        (
            result("a1_mask"),
            result("d1_all"),
            "It is wrong. Your a1_mask.py, which this builds on, is not right yet either.",
        ),
        (result("a1_mask"), result("d1_all", "WRONG_VALUE", "scale-missing"), "It is wrong."),
        (result("b1_split"), result("d1_all"), "It is wrong."),
        (result("a1_mask", "OK"), result("d1_all"), "It is wrong."),
        (result("a1_mask", "NOT_SUBMITTED"), result("d1_all"), "It is wrong."),
        (result("a1_mask", "WRONG_VALUE", "mask-missing"), result("d1_all", "OK"), "It is wrong."),
    ],
    ids=["slug", "family", "unnamed", "another fault", "not needed", "right", "not there", "nothing to say"],
)
def test_what_is_said(earlier: Result, later: Result, said: str) -> None:
    """The sentence depends on how much the two have in common; the earlier result stays as it is."""
    assert [each.message for each in with_earlier(LADDER, [earlier, later])] == ["It is wrong.", said]


def test_an_earlier_quiz_is_called_by_its_file() -> None:
    """The file that is to be mended is the one that the learner has: a sheet for a quiz."""
    quiz = replace(exercise("a1_look"), kind="quiz")
    _, later = with_earlier([quiz, exercise("b1_split", "a1_look")], [result("a1_look"), result("b1_split")])
    assert "Your a1_look.yaml, which this builds on" in later.message
