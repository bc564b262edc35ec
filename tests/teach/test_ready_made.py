"""What becomes of ready-made answers: flagged with their line, or refused, as course.yaml says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run
from tests.teach.test_grade import graded, hand_in

SOURCE = (
    "import numpy as np\n\n\ndef heaviest(scale, bowls):\n    return int(np.argmax([scale(i) for i in range(bowls)]))\n"
)


@pytest.mark.parametrize(
    ("policy", "verdict", "points"), [("flag", "OK", 2), ("forbid", "FORBIDDEN", 0), ("allow", "OK", 2)]
)
def test_policy(kitchen: Path, tmp_path: Path, headcount: Run, policy: str, verdict: str, points: float) -> None:
    """flag keeps the points and names the line, forbid takes them, allow says nothing."""
    course = kitchen / "course.yaml"
    course.write_text(course.read_text().replace("policy: flag", f"policy: {policy}"))
    hand_in(tmp_path / "class", "ada", "k2_heaviest", SOURCE)
    row = graded(headcount, kitchen, tmp_path / "class")["ada", "k2_heaviest"]
    assert (row["verdict"], row["points"]) == (verdict, points)
    assert row["flags"] == ([] if policy == "allow" else ["line 5 uses argmax, a ready-made answer"])
