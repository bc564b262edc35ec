"""`headcount export`: what it takes, what it refuses, and that it leaves what it reads alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder.records import Result
from tests.conftest import Run
from tests.integrations.conftest import Folder
from tests.teach.test_grade import RIGHT, graded, hand_in


def test_a_graded_class(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """What a real grading wrote can be exported in one line."""
    hand_in(tmp_path / "class", "ada", "k1_scale_recipe", RIGHT)
    graded(headcount, kitchen, tmp_path / "class")
    run = headcount("export", "out", "--format", "canvas", cwd=kitchen)
    assert run.stdout.splitlines()[1:] == ["    Points Possible,,,,,5", "ada,,,ada,,3"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere", "--format", "canvas"], "nowhere: holds no results.jsonl; `headcount grade"),
        (["marks", "--format", "canvass"], "Did you mean 'canvas'?"),
        (["marks", "--format", "gradescope"], "name a folder for them with --to"),
        (["marks", "--format", "junit", "--roster", "x.csv"], "leave out --roster"),
        (["marks", "--format", "moodle", "--roster", "x.csv"], "x.csv: cannot be read"),
        (["marks", "--format", "canvas", "--to", "marks"], "--to marks: cannot be written"),
        (["marks", "--format", "canvas", "--to", "marks/results.jsonl/x"], "cannot be written"),
        (["marks", "--format", "gradescope", "--to", "marks/results.jsonl"], "cannot be written"),
        (["marks", "--format", "canvas", "--to", "marks/results.jsonl"], "is what the marks are read from"),
        (["marks", "--format", "canvas", "--to", "marks/ledger.jsonl"], "is what the marks are read from"),
        (["marks"], "--format"),
    ],
)
def test_what_is_refused(kitchen: Path, marks: Path, headcount: Run, arguments: list[str], says: str) -> None:
    """Clumsy arguments get one clear line, status 2, and change nothing."""
    marks = marks.rename(kitchen / "marks")
    before = (marks / "results.jsonl").read_bytes()
    run = headcount("export", *arguments, cwd=kitchen)
    assert (run.returncode, run.stdout) == (2, "")
    assert says in run.stderr
    assert "Traceback" not in run.stderr
    assert [path.name for path in marks.iterdir()] == ["results.jsonl"]
    assert (marks / "results.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("points", float("nan"), "'ada' is damaged"),
        ("points", -1, "'ada' is damaged"),
        ("points", "3", "1 line cannot be read"),
        ("max_points", None, "'ada' is damaged"),
        ("message", 3, "1 line cannot be read"),
        ("learner", ["ada"], "1 line cannot be read"),
        ("verdict", "NOT_GRADED", "1 answer is not graded yet"),
    ],
)
def test_results_somebody_edited(
    kitchen: Path, folder: Folder, headcount: Run, field: str, value: object, says: str
) -> None:
    """A mark is never left out or guessed: rows that are not what a grading writes stop the export."""
    out = folder([Result("ada", "k1_scale_recipe", 3.0, 3.0, "OK")])
    row = json.loads((out / "results.jsonl").read_text()) | {field: value}
    (out / "results.jsonl").write_text(json.dumps(row) + "\n")
    run = headcount("export", out, "--format", "canvas", cwd=kitchen)
    assert (run.returncode, run.stdout) == (2, "")
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_texts_that_wait_for_a_person(kitchen: Path, folder: Folder, headcount: Run) -> None:
    """A text nobody has marked yet counts nothing, which is said; a test report calls it skipped."""
    out = folder([Result("ada", "k1_scale_recipe", 3.0, 3.0, "OK"), Result("ada", "k2", 0.0, 2.0, "TO_BE_MARKED")])
    run = headcount("export", out, "--format", "canvas", cwd=kitchen)
    assert run.stdout.splitlines()[-1] == "ada,,,ada,,3"
    assert run.stderr == "1 text waits for a person's mark and counts 0 so far\n"
    assert 'skipped="1"' in headcount("export", out, "--format", "junit", cwd=kitchen).stdout


def test_nothing_graded(kitchen: Path, folder: Folder, headcount: Run) -> None:
    """An empty class has nothing to export."""
    run = headcount("export", folder([]), "--format", "junit", cwd=kitchen)
    assert (run.returncode, run.stdout) == (2, "")
    assert "holds no results" in run.stderr


def test_names_that_differ_in_case(folder: Folder, headcount: Run) -> None:
    """Two learners never share a file, not even where file systems take Ada and ada for the same name."""
    out = folder([Result(name, "k1_scale_recipe", 3.0, 3.0, "OK") for name in ("ada", "Ada")])
    run = headcount("export", out, "--format", "gradescope", "--to", out / "to", cwd=out)
    assert run.returncode == 2
    assert "differ in case only" in run.stderr
    assert not (out / "to").exists()
