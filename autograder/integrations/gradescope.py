"""The results.json of a Gradescope autograder, for one learner."""

from __future__ import annotations

from typing import Any

from autograder.integrations.marks import Marks, Part
from autograder.integrations.text import message


def results(each: Marks) -> dict[str, Any]:
    """Scores stand on the tests and nowhere else: a score at the top would count instead of their sum.

    Checks with hidden probes are seen once marks are published. What a submission printed is nobody's but the
    instructor's: it may show the inputs of hidden probes.
    """
    return {
        "test_output_format": "text", "test_name_format": "text",
        "stdout_visibility": "hidden",
        "tests": [_test(number, part) for number, part in enumerate(each.parts, start=1)],
    }  # fmt: skip


def _test(number: int, part: Part) -> dict[str, Any]:
    return {
        "name": part.name, "number": str(number), "score": part.points, "max_score": part.max_points,
        "status": "passed" if part.passed else "failed", "output": message(part.message),
        "visibility": "visible" if part.shown else "after_published",
        "extra_data": {"verdict": part.verdict, "late_days": part.late_days, "attempts": part.attempts},
    }  # fmt: skip
