"""`headcount doctor`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.teach.test_grade import RIGHT, hand_in


def test_doctor_tells_level_and_versions(headcount: Run) -> None:
    """The level of isolation and the versions that matter, for a person and for a program."""
    told = json.loads(headcount("doctor", "--json").stdout)
    assert told["level"] in (0, 1, 2, 3)
    assert {"headcount", "python", "numpy", "torch", "system"} == set(told["versions"])
    assert headcount("doctor").stdout.startswith(f"Isolation: level {told['level']} of 3")


def test_without_isolation_grading_is_refused(
    kitchen: Path, tmp_path: Path, headcount: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At level 0 nothing of a class is run unless the files are said to be trusted, and then every result says so."""
    monkeypatch.setenv("HEADCOUNT_HIGHEST_ISOLATION", "0")
    hand_in(tmp_path / "class", "ada", "k1_scale_recipe", RIGHT)
    refused = headcount("grade", tmp_path / "class", "--out", "out", cwd=kitchen)
    assert (refused.returncode, (kitchen / "out" / "results.jsonl").exists()) == (2, False)
    assert "--no-isolation-i-trust-these-files" in refused.stderr
    trusted = headcount("grade", tmp_path / "class", "--out", "out", "--no-isolation-i-trust-these-files", cwd=kitchen)
    assert trusted.returncode == 0
    first = json.loads((kitchen / "out" / "results.jsonl").read_text().splitlines()[0])
    assert (first["verdict"], first["flags"]) == ("OK", ["This was run without isolation."])
