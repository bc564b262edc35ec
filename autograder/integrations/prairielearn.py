"""The results.json of a PrairieLearn external grader, for one learner."""

from __future__ import annotations

from typing import Any

from autograder.integrations.marks import Marks, Part
from autograder.integrations.text import message


def results(each: Marks) -> dict[str, Any]:
    """A score from 0 to 1 and one test for each check. A refused upload is "not gradable", which costs no attempt."""
    if each.refused is not None and not each.marks:
        return {"gradable": False, "format_errors": [message(each.refused)]}
    score = min(each.points / each.max_points, 1.0) if each.max_points else 0.0
    return {
        "gradable": True, "score": round(score, 6), "message": "", "output": "",
        "tests": [_test(part) for part in each.parts],
    }  # fmt: skip


def _test(part: Part) -> dict[str, Any]:
    return {
        "name": part.name, "description": "", "points": part.points, "max_points": part.max_points,
        "message": message(part.message), "output": "",
    }  # fmt: skip
