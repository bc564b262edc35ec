"""What an autograding step of GitHub Classroom hands to its grading reporter, for one learner."""

from __future__ import annotations

from typing import Any

from autograder.integrations.marks import Marks
from autograder.integrations.text import message


def result(each: Marks) -> dict[str, Any]:
    """The reporter adds up the scores of the tests. It wants this JSON in base64 as the step's output `result`."""
    tests = [
        {
            "name": part.name, "status": "pass" if part.passed else "fail", "message": message(part.message),
            "score": part.points, "max_score": part.max_points,
        }
        for part in each.parts
    ]  # fmt: skip
    passed = all(part.passed for part in each.parts)
    return {"version": 1, "status": "pass" if passed else "fail", "max_score": each.max_points, "tests": tests}
