"""The exports in XML and JSON, held against schemas of what the platforms document."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from autograder.records import Result
from tests.conftest import Run
from tests.integrations.conftest import STRANGE, Folder

SHOWN = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
STYLE = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
NUMBER, TEXT = {"type": "number", "minimum": 0}, {"type": "string", "maxLength": 2100}


def closed(required: list[str], **properties: Any) -> dict[str, Any]:
    """An object with these properties and no others."""
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


GRADESCOPE = closed(
    ["tests"],  # and no "score": that would count instead of the sum
    output=TEXT, output_format=STYLE, test_output_format=STYLE, test_name_format=STYLE, stdout_visibility=SHOWN,
    visibility=SHOWN, execution_time=NUMBER, extra_data={"type": "object"},
    tests={
        "type": "array",
        "items": closed(
            ["score", "max_score", "name"],
            score=NUMBER, max_score=NUMBER, status={"enum": ["passed", "failed"]}, name=TEXT, number=TEXT, output=TEXT,
            visibility=SHOWN, tags={"type": "array", "items": TEXT}, extra_data={"type": "object"},
        ),
    },
)  # fmt: skip
PRAIRIELEARN = {
    "if": {"properties": {"gradable": {"const": True}}},
    "then": closed(
        ["score"],
        gradable={}, score={"type": "number", "minimum": 0, "maximum": 1}, message=TEXT, output=TEXT,
        tests={
            "type": "array",
            "items": closed(
                ["name"], name=TEXT, description=TEXT, points=NUMBER, max_points=NUMBER, message=TEXT, output=TEXT
            ),
        },
    ),
    "else": closed(["format_errors"], gradable={}, format_errors={"type": "array", "items": TEXT}),
}  # fmt: skip
CLASSROOM = closed(
    ["version", "status", "max_score", "tests"],
    version={"const": 1}, status={"enum": ["pass", "fail", "error"]}, max_score=NUMBER,
    tests={
        "type": "array",
        "items": closed(
            ["name", "status", "score"],
            name=TEXT, status={"enum": ["pass", "fail", "error"]}, message=TEXT, score=NUMBER, max_score=NUMBER,
        ),
    },
)  # fmt: skip
WHOLE, SAID = {"type": "integer", "minimum": 0}, {"type": "string", "minLength": 1}
CLASSROOM50 = closed(
    ["schema", "classroom", "assignment", "submission", "commit", "release", "review", "datetime", "score", "max-score",
     "tests"],
    **{"schema": {"const": "classroom50/result/v1"}, "score": WHOLE, "max-score": WHOLE},
    **dict.fromkeys(("classroom", "assignment", "submission", "commit", "release", "review"), SAID),
    datetime={"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
    tests={
        "type": "array",
        "items": closed(
            ["test-name", "passed", "score", "max-score"],
            **{"test-name": SAID, "passed": {"type": "boolean"}, "score": WHOLE, "max-score": WHOLE},
        ),
    },
)  # fmt: skip
SCHEMAS = {
    "gradescope": GRADESCOPE, "prairielearn": PRAIRIELEARN, "github-classroom": CLASSROOM, "classroom50": CLASSROOM50,
}  # fmt: skip


def exported(headcount: Run, marks: Path, form: str) -> dict[str, Any]:
    """Export a file for each learner with the real command; their contents by file name, each valid."""
    run = headcount("export", marks, "--format", form, "--to", marks / form, cwd=marks)
    assert run.returncode == 0, run.stderr
    found = {}
    for path in (marks / form).iterdir():
        assert path.stat().st_size < 1_000_000
        found[path.name] = json.loads(path.read_text("utf-8"), parse_constant=pytest.fail)
        jsonschema.Draft202012Validator(SCHEMAS[form]).validate(found[path.name])
    return found


@pytest.mark.parametrize("form", SCHEMAS)
def test_a_file_for_each_learner(marks: Path, headcount: Run, form: str) -> None:
    """Whatever a learner is called, their file lies in the folder, and is what the platform documents."""
    names = set(exported(headcount, marks, form))
    assert names == {
        "ada.json", "cleo.json", "d%E2%80%AEora.json", "%3Dbo%2C %22the%22 %27late%27%0Aone.json",
    }  # fmt: skip


def test_names_that_are_paths(folder: Folder, headcount: Run) -> None:
    """No name leads out of the folder, hides its file, or is too long for a file."""
    names = ["../up", "..", ".hidden", "/etc/passwd", "-rf", "a" * 255, "a" * 256, "NUL\0", "С" * 255]
    out = folder([Result(name, "k1_scale_recipe", 1.0, 1.0, "OK") for name in names])
    assert len(exported(headcount, out, "gradescope")) == len(names)
    assert sorted(path.name for path in out.parent.iterdir()) == ["marks"]


def test_gradescope(marks: Path, headcount: Run) -> None:
    """The sum of the tests is the mark, lateness included; checks with hidden probes wait until marks are published."""
    found = exported(headcount, marks, "gradescope")
    assert {test["name"]: test["visibility"] for test in found["ada.json"]["tests"]} == {
        "k1_scale_recipe::values": "visible", "k1_scale_recipe::corners": "after_published", "k2_heaviest": "visible",
    }  # fmt: skip
    sums = {name: math.fsum(test["score"] for test in each["tests"]) for name, each in found.items()}
    assert sums["%3Dbo%2C %22the%22 %27late%27%0Aone.json"] == pytest.approx(1.6)
    assert sums["ada.json"] == 2
    (refused,) = found["cleo.json"]["tests"]
    assert (refused["score"], refused["max_score"], refused["output"]) == (0, 5, "cleo.zip: is no archive")
    assert all(math.fsum(test["max_score"] for test in each["tests"]) == 5 for each in found.values())


def test_prairielearn(marks: Path, headcount: Run) -> None:
    """The score is the share of the points; a refused upload is not gradable, and costs no attempt."""
    found = exported(headcount, marks, "prairielearn")
    assert found["ada.json"]["score"] == 0.4
    assert found["cleo.json"] == {"gradable": False, "format_errors": ["cleo.zip: is no archive"]}


def test_github_classroom(marks: Path, headcount: Run) -> None:
    """The reporter's sum over the tests is the mark."""
    found = exported(headcount, marks, "github-classroom")
    assert (found["ada.json"]["status"], found["d%E2%80%AEora.json"]["status"]) == ("fail", "pass")
    assert sum(test["score"] for test in found["ada.json"]["tests"]) == 2


def test_classroom50(marks: Path, headcount: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores are hundredths of a point, and add up; what the runner knows about a submission is passed on."""
    monkeypatch.setenv("COMMIT_URL", "https://example.org/commit/1")
    found = exported(headcount, marks, "classroom50")
    late = found["%3Dbo%2C %22the%22 %27late%27%0Aone.json"]
    assert (late["score"], late["max-score"], found["ada.json"]["score"]) == (160, 500, 200)
    for each in found.values():
        assert sum(test["score"] for test in each["tests"]) == each["score"]
        assert sum(test["max-score"] for test in each["tests"]) == each["max-score"]
    assert (late["review"], late["release"]) == ("https://example.org/commit/1", "RELEASE_URL")


def test_an_earlier_attempt_that_counts(folder: Folder, headcount: Run) -> None:
    """Where the best attempt counts, a refused upload is told beside the marks and costs none of them."""
    out = folder(
        [
            Result("ada", None, 0.0, 2.0, "REFUSED", message="ada.zip: is no archive"),
            Result("ada", "k2_heaviest", 2.0, 2.0, "OK"),
        ]
    )
    assert exported(headcount, out, "prairielearn")["ada.json"]["score"] == 1
    tests = exported(headcount, out, "gradescope")["ada.json"]["tests"]
    assert [(test["name"], test["score"], test["max_score"]) for test in tests] == [
        ("upload", 0, 0), ("k2_heaviest", 2, 2),
    ]  # fmt: skip


def test_junit(marks: Path, kitchen: Path, headcount: Run) -> None:
    """An XML parser finds a test for each check, its points, and why it failed, with nothing XML cannot hold."""
    run = headcount("export", marks, "--format", "junit", "--to", marks / "junit.xml", cwd=kitchen)
    assert run.returncode == 0, run.stderr
    root = ET.parse(marks / "junit.xml").getroot()
    assert root.attrib == {
        "name": "Kitchen arithmetic", "tests": "9", "failures": "3", "errors": "1", "skipped": "1",
    }  # fmt: skip
    for suite in root:
        assert int(suite.attrib["tests"]) == len(suite)
    cases = {case.attrib["name"]: case for case in root.iter("testcase")}
    late = cases[f"{STRANGE}::k1_scale_recipe::values"]
    assert {p.attrib["name"]: p.attrib["value"] for p in late.iter("property")} == {
        "points": "1.6", "max_points": "2", "shown": "true", "attempts": "3", "late_days": "2",
    }  # fmt: skip
    assert late.find("failure") is None
    failure = cases["ada::k1_scale_recipe::corners"].find("failure")
    assert failure is not None
    assert failure.attrib["message"] == "raised ValueError in line 3 (`<b>=x</b> & 1`)"
    assert cases["cleo::upload"].find("error") is not None
    assert cases["ada::k2_heaviest"].find("skipped") is not None
    odd = cases[f"{STRANGE}::k2_heaviest"].find("failure")
    assert odd is not None
    assert odd.attrib == {"message": r"\x1b[31mred\x00 \u202eleft", "type": "SYNTAX_ERROR"}
