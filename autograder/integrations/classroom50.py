"""The result.json of a Classroom 50 autograder (``classroom50/result/v1``), for one learner."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from autograder.integrations.marks import Marks
from autograder.integrations.text import plain

SCHEMA = "classroom50/result/v1"
#: Scores are whole numbers there: hundredths of a point.
PARTS_OF_A_POINT = 100
#: What the runner says about a submission, by the name it has in the result. A review needs no address of its own.
FROM_RUNNER = {
    "classroom": "CLASSROOM", "assignment": "ASSIGNMENT", "submission": "SUBMISSION_TAG", "commit": "COMMIT_URL",
    "release": "RELEASE_URL", "review": "REVIEW_URL",
}  # fmt: skip


def result(each: Marks, runner: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """A test for each check. `runner` are the variables that the runner sets; outside of it their names stand there."""
    tests = [
        {
            "test-name": plain(part.name), "passed": part.passed,
            "score": _whole(part.points), "max-score": _whole(part.max_points),
        }
        for part in each.parts
    ]  # fmt: skip
    about = {name: runner.get(variable) or variable for name, variable in FROM_RUNNER.items()}
    about["review"] = runner.get("REVIEW_URL") or about["commit"]
    return {
        "schema": SCHEMA, **about, "datetime": now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(test["score"] for test in tests), "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }  # fmt: skip


def _whole(points: float) -> int:
    return round(points * PARTS_OF_A_POINT)
