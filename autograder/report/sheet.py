"""A marked quiz on a terminal: each question with its mark and what there is to say about the answer."""

from __future__ import annotations

from autograder.records import Result, Verdict
from autograder.report.terminal import FAILED, PASSED, wrap

PARTLY = "~"


def draw_sheet(result: Result, title: str) -> str:
    """What a learner reads after their sheet was marked."""
    lines = [f"{result.exercise}: {title}", ""]
    if not result.checks:
        lines += [*wrap(result.message), ""]
    for verdict in result.checks:
        lines += wrap(f"{sign(verdict)} {verdict.id}: {verdict.message}", "  ", "      ")
    for flag in result.flags:
        lines += ["", *wrap(f"Note: {flag}")]
    if result.checks:
        lines += ["", tally(result)]
    return "\n".join(lines)


def tally(result: Result) -> str:
    """How many answers are right, and what they earn."""
    right = sum(verdict.passed for verdict in result.checks)
    points = f"{round(result.points, 2):g} of {result.max_points:g} points"
    return f"{right} of {len(result.checks)} answers are right: {points}."


def sign(verdict: Verdict) -> str:
    """The mark of one answer."""
    return PASSED if verdict.passed else PARTLY if verdict.points else FAILED
