"""A marked quiz as a learner reads it."""

from __future__ import annotations

from autograder.records import Result, Verdict
from autograder.report.sheet import draw_sheet


def test_thirds_of_points_are_rounded() -> None:
    """Partial credit may be any fraction; nobody reads six digits of it."""
    partly = Verdict("cut", True, False, 0.333333, 1.0, "one is missing")
    result = Result(
        learner="", exercise="q1", points=0.333333, max_points=1.0, verdict="WRONG_VALUE", misconceptions=(),
        family=None, message="", flags=(), checks=(partly,),
    )  # fmt: skip
    assert draw_sheet(result, "Cuts").endswith("  ~ cut: one is missing\n\n0 of 1 answers are right: 0.33 of 1 points.")
