"""`headcount grade`: a class in, results.jsonl and a table out."""

from __future__ import annotations

import io
import json
import pkgutil
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.course.load import load_course
from autograder.errors import HeadcountError
from autograder.ledger import Answer
from autograder.records import Result
from autograder.submissions.intake import collect
from autograder.teach.commands import grade_uploads
from tests.conftest import ROOT, Run

RIGHT = "def scale_recipe(amounts, have, want):\n    assert have\n    return amounts * want / have\n"
WRONG = "def scale_recipe(amounts, written_for, guests):\n    return amounts * guests\n"
HEAVIEST = "def heaviest(scale, bowls):\n    return sorted(range(bowls), key=scale)[-1]\n"
FIELDS = {
    "learner", "exercise", "points", "max_points", "verdict", "symptom", "misconceptions", "family", "message", "flags",
    "checks", "versions", "attempts", "late_days",
}  # fmt: skip


def hand_in(group: Path, learner: str, exercise: str, source: str | bytes) -> None:
    """Put one file into a learner's folder."""
    path = group / learner / f"{exercise}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(source.encode() if isinstance(source, str) else source)


def graded(headcount: Run, course: Path, group: Path, *options: str) -> dict[tuple[str, str | None], dict[str, Any]]:
    """Grade with the real command; the rows of results.jsonl by learner and exercise."""
    run = headcount("grade", group, "--out", course / "out", *options, cwd=course)
    assert run.returncode == 0, run.stderr
    rows = [json.loads(line) for line in (course / "out" / "results.jsonl").read_text("utf-8").splitlines()]
    return {(row["learner"], row["exercise"]): row for row in rows}


def test_a_class(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """Each learner gets a line for each exercise, with what they did not hand in named as such."""
    group = tmp_path / "class"
    hand_in(group, "ada", "k1_scale_recipe", RIGHT)
    hand_in(group, "ada", "k2_heaviest", HEAVIEST)
    hand_in(group, "bo", "k1_scale_recipe", WRONG)
    rows = graded(headcount, kitchen, group)
    assert set(rows["ada", "k1_scale_recipe"]) == FIELDS
    assert [rows["ada", id]["verdict"] for id in ("k1_scale_recipe", "k2_heaviest")] == ["OK", "OK"]
    assert rows["ada", "k2_heaviest"]["points"] == 2
    assert rows["bo", "k1_scale_recipe"]["misconceptions"] == ["ratio-forgotten"]
    assert rows["bo", "k1_scale_recipe"]["family"] == "ratio"
    assert rows["bo", "k2_heaviest"]["verdict"] == "NOT_SUBMITTED"


def test_a_class_in_sentences(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """--plain tells the same as the table without columns and lines."""
    group = tmp_path / "class"
    hand_in(group, "ada", "k1_scale_recipe", RIGHT)
    hand_in(group, "bo", "k1_scale_recipe", WRONG)
    told = headcount("grade", group, "--out", tmp_path / "out", "--plain", cwd=kitchen).stdout
    assert "ada: 3 points, k1 3 of 3, 1 not handed in.\n" in told
    assert "k1 0 of 3, 1 not handed in. To talk about: k1 ratio-forgotten.\n" in told
    assert "Named once: ratio-forgotten.\n" in told
    assert told.isascii()
    assert "  " not in told


def test_trouble_costs_its_own_exercise_only(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """A crash, an endless loop, a syntax error, a strange encoding: each gets a verdict of its own."""
    group = tmp_path / "class"
    trouble = {
        "crash": "import ctypes\nctypes.string_at(0)\n",
        "loop": "def scale_recipe(a, w, g):\n    while True: pass\n",
        "syntax": "def scale_recipe(a, w, g)\n    return a\n",
        "encoding": RIGHT.encode("utf-16"),
        "empty": "",
        "leaves": "import os\ndef scale_recipe(a, w, g):\n    os._exit(0)\n",
        "module": "import nowhere_to_be_found\n",
        "memory": "def scale_recipe(a, w, g):\n    return bytearray(1 << 40)\n",
        "text": "exec('1 +')\n",
    }
    for learner, source in trouble.items():
        hand_in(group, learner, "k1_scale_recipe", source)
        hand_in(group, learner, "k2_heaviest", HEAVIEST)
    rows = graded(headcount, kitchen, group)
    assert {learner: rows[learner, "k1_scale_recipe"]["verdict"] for learner in trouble} == {
        "crash": "CRASHED", "loop": "CPU_LIMIT", "syntax": "SYNTAX_ERROR", "encoding": "SYNTAX_ERROR",
        "empty": "NOT_DEFINED", "leaves": "EXITED_EARLY", "module": "IMPORT_ERROR", "memory": "OUT_OF_MEMORY",
        "text": "IMPORT_ERROR",
    }  # fmt: skip
    assert {rows[learner, "k2_heaviest"]["points"] for learner in trouble} == {2}


def test_a_refused_upload(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """An upload refused as a whole is one line with no exercise, and costs nobody else anything."""
    group = tmp_path / "class"
    hand_in(group, "ada", "k1_scale_recipe", RIGHT)
    (group / "bo.zip").write_bytes(b"PK\3\4 this is no archive")
    rows = graded(headcount, kitchen, group)
    assert rows["bo", None]["verdict"] == "REFUSED"
    assert rows["ada", "k1_scale_recipe"]["verdict"] == "OK"


def test_a_zip_and_a_single_file(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """A single upload can be graded without a class around it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("cleo/k1_scale_recipe.py", RIGHT)
    (tmp_path / "cleo.zip").write_bytes(packed.getvalue())
    assert graded(headcount, kitchen, tmp_path / "cleo.zip")["cleo", "k1_scale_recipe"]["verdict"] == "OK"
    hand_in(tmp_path / "alone", "dan", "k1_scale_recipe", WRONG)
    rows = graded(headcount, kitchen, tmp_path / "alone" / "dan" / "k1_scale_recipe.py")
    assert rows["dan", "k1_scale_recipe"]["misconceptions"] == ["ratio-forgotten"]


def test_the_order_does_not_depend_on_timing(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """One job and three jobs write the same file, byte for byte."""
    group = tmp_path / "class"
    hand_in(group, "a_slow", "k1_scale_recipe", "sum(range(10**6))\n" + RIGHT)
    for learner in ("b", "c", "d"):
        hand_in(group, learner, "k1_scale_recipe", WRONG if learner == "c" else RIGHT)
    files = []
    for jobs in ("1", "3"):
        graded(headcount, kitchen, group, "--jobs", jobs)
        files.append((kitchen / "out" / "results.jsonl").read_bytes())
    assert files[0] == files[1]


def test_hidden_probes_count(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """Who types in the shown answers fails on the hidden ones, at grading and only there."""
    source = (
        "import numpy as np\ndef scale_recipe(a, w, g):\n    assert w\n"
        "    return np.array({3: [625.0, 5.0, 1250.0], 2: [375.0, 21.0]}.get(len(a), a))\n"
    )
    hand_in(tmp_path / "class", "ada", "k1_scale_recipe", source)
    row = graded(headcount, kitchen, tmp_path / "class")["ada", "k1_scale_recipe"]
    assert (row["verdict"], row["points"]) == ("WRONG_VALUE", 0)
    assert headcount("check", tmp_path / "class" / "ada" / "k1_scale_recipe.py", cwd=kitchen).returncode == 0


def test_only_the_learners_own_lines(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """An exception is told with the learner's line, never with a frame of the engine or of a library."""
    source = "import numpy as np\ndef scale_recipe(a, w, g):\n    return np.concatenate([a, 3])\n"
    hand_in(tmp_path / "class", "ada", "k1_scale_recipe", source)
    row = graded(headcount, kitchen, tmp_path / "class")["ada", "k1_scale_recipe"]
    assert "in line 3 (`return np.concatenate([a, 3])`)" in row["message"]
    assert "autograder" not in json.dumps(row)


@pytest.mark.parametrize(
    ("path", "out", "says"),
    [("nowhere", "out", "nowhere"), (".headcount", "out", ".headcount"), ("class", "course.yaml", "is a file")],
)
def test_bad_input(kitchen: Path, headcount: Run, path: str, out: str, says: str) -> None:
    """A path that is not there, a folder without uploads and an --out that is a file: one line, status 2."""
    (kitchen / ".headcount").mkdir()
    hand_in(kitchen / "class", "ada", "k1_scale_recipe", RIGHT)
    run = headcount("grade", path, "--out", out, cwd=kitchen)
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1), run.stderr
    assert says in run.stderr


def test_json_summary(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """--json tells a program where the results lie and how many verdicts of each kind there are."""
    hand_in(tmp_path / "class", "ada", "k1_scale_recipe", RIGHT)
    run = headcount("grade", tmp_path / "class", "--out", "out", "--json", cwd=kitchen)
    assert json.loads(run.stdout)["verdicts"] == {"OK": 1, "NOT_SUBMITTED": 1}


@pytest.mark.parametrize(
    ("name", "file", "marking", "as_json"),
    [
        ("kitchen", "k1_scale_recipe.py", "autograder.grading.judged", False),
        ("kitchen", "k1_scale_recipe.py", "autograder.grading.judged", True),
        ("garden", "g1_beds.yaml", "autograder.papers.mark_sheet", False),
    ],
    ids=["code", "code, for a program", "a quiz"],
)
def test_an_answer_that_our_judging_stumbles_over_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str, marking: str, as_json: bool
) -> None:
    """It stays ungraded, with the reason; all other marks are there. Nobody is told that grading has finished."""
    mark: Callable[..., Result] = pkgutil.resolve_name(marking)

    def stumbling(*arguments: object) -> Result:
        (answer,) = (each for each in arguments if isinstance(each, Answer))
        if answer.learner == "ada":
            raise KeyError
        return mark(*arguments)

    course = load_course(ROOT / "tests" / "courses" / name)
    for learner in ("ada", "bo"):
        (tmp_path / "class" / learner).mkdir(parents=True)
        shutil.copy(course.root / "exercises" / file, tmp_path / "class" / learner)
    monkeypatch.setattr(marking, stumbling)
    uploads = collect(tmp_path / "class", [each.file for each in course.exercises])
    with pytest.raises(HeadcountError, match="1 answer is not graded yet"):
        grade_uploads(
            course, uploads, tmp_path / "out", jobs=1, alone=False, trusted=True, as_json=as_json, plain=False
        )
    rows = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text("utf-8").splitlines()]
    told = {row["learner"]: row for row in rows if row["exercise"] == Path(file).stem}
    assert "a bug in headcount (KeyError)" in told["ada"]["message"]
    assert told["bo"]["verdict"] not in ("NOT_GRADED", "NOT_SUBMITTED")
