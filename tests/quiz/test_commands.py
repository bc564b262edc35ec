"""A quiz from the sheet to the mark, with the real commands: sheet, check, grade, regrade."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from autograder.quiz.draw import DEFAULT, Quiz
from autograder.quiz.sheet import sheet
from tests.conftest import Run

G1 = "g1_beds.yaml"


def right(quiz: Quiz, learner: str) -> dict[str, str]:
    """The answers of a perfect learner."""
    return {name: question.model for name, question in quiz.draw(learner).items()}


def hand_in(folder: Path, quiz: Quiz, learner: str, answers: Mapping[str, str], *, numbers: str | None = None) -> Path:
    """A learner's filled-in sheet; `numbers` says whose sheet they took."""
    path = folder / learner / G1
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(sheet(quiz, learner if numbers is None else numbers, answers), "utf-8")
    return path


def graded(headcount: Run, garden: Path, group: Path) -> dict[str, dict[str, Any]]:
    """Grade with the real command; the rows of results.jsonl by learner."""
    run = headcount("grade", group, "--out", garden / "out", cwd=garden)
    assert (run.returncode, "Traceback" in run.stderr) == (0, False), run.stderr
    rows = (json.loads(line) for line in (garden / "out" / "results.jsonl").read_text("utf-8").splitlines())
    return {row["learner"]: row for row in rows}


def test_everybody_has_their_own_numbers(garden: Path, headcount: Run, tmp_path: Path, quiz: Quiz) -> None:
    """Sheets of two learners differ; a sheet that is there is not overwritten."""
    run = headcount("sheet", "g1", "--learner", "ada", "--learner", "bo", "--out", tmp_path / "s", cwd=garden)
    assert run.returncode == 0
    ada, bo = ((tmp_path / "s" / name / G1).read_text("utf-8") for name in ("ada", "bo"))
    assert ada == sheet(quiz, "ada") != bo.replace('"bo"', '"ada"')
    again = headcount("sheet", "g1", "--learner", "ada", "--out", tmp_path / "s", cwd=garden)
    assert (again.returncode, len(again.stderr.splitlines())) == (2, 1)
    assert "is there already" in again.stderr


@pytest.mark.parametrize("name", ["../up", "", " x", ".hidden", "a/b", "x" * 300, "tab\there"])
def test_names_that_cannot_be_folders(garden: Path, headcount: Run, tmp_path: Path, name: str) -> None:
    """A sheet is written below the folder that was given, or not at all."""
    run = headcount("sheet", "g1", "--learner", name, "--out", tmp_path / "s", cwd=garden)
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
    assert not (tmp_path / "s").exists()


def test_a_code_exercise_has_no_sheet(kitchen: Path, headcount: Run, tmp_path: Path) -> None:
    """The message says what there is instead."""
    run = headcount("sheet", "k1", "--learner", "ada", "--out", tmp_path, cwd=kitchen)
    assert (run.returncode, "is no quiz" in run.stderr) == (2, True)


def test_an_untouched_sheet(garden: Path, headcount: Run) -> None:
    """It is worth nothing and says so for each question."""
    run = headcount("check", "g1", cwd=garden)
    assert run.returncode == 1
    assert run.stdout.count("is not answered yet.") == 6
    assert "0 of 6 answers are right: 0 of 6 points." in run.stdout


def test_a_perfect_sheet(garden: Path, headcount: Run, quiz: Quiz) -> None:
    """A self-learner answers the sheet in exercises/, and hears why each answer is right."""
    (garden / "exercises" / G1).write_text(sheet(quiz, DEFAULT, right(quiz, DEFAULT)), "utf-8")
    run = headcount("check", cwd=garden)
    assert run.returncode == 0
    assert "6 of 6 answers are right: 6 of 6 points." in run.stdout
    assert "A spade turns it." in run.stdout
    assert "1 of 1 exercises solved" in headcount(cwd=garden).stdout


def test_a_sheet_of_ones_own_at_home(garden: Path, headcount: Run, quiz: Quiz) -> None:
    """A check goes by the numbers that the sheet says it has."""
    path = hand_in(garden, quiz, "ada", right(quiz, "ada"))
    assert headcount("check", path, cwd=garden).returncode == 0


def test_wrong_answers_are_explained(garden: Path, headcount: Run, quiz: Quiz) -> None:
    """The explanation of the choice taken, the known wrong number, the line of what cannot be read."""
    area = quiz.draw(DEFAULT)["area"]
    added = next(wrong.value for wrong in area.wrong if wrong.slug == "area-sides-added")  # type: ignore[attr-defined]
    answers = {"tool": "a sieve", "roots": "carrot", "area": str(added), "rows": "one, two"}
    path = garden / "exercises" / G1
    path.write_text(sheet(quiz, DEFAULT, answers), "utf-8")
    run = headcount("check", "g1", "--json", cwd=garden)
    result = json.loads(run.stdout)
    said = {check["id"]: check["message"] for check in result["checks"]}
    assert "it does not turn it" in said["tool"]
    assert said["roots"].endswith("Not everything that belongs is there.")
    assert "You added the sides" in said["area"]
    line = next(n for n, text in enumerate(path.read_text("utf-8").splitlines(), 1) if "one, two" in text)
    assert said["rows"].startswith(f"exercises/{G1}:{line}: 'one' is not a number")
    assert (result["points"], result["misconceptions"], result["family"]) == (0.5, ["area-sides-added"], "area")


def test_a_handout_without_answers(garden: Path, headcount: Run) -> None:
    """Where there is no solutions/ there is one clear line."""
    (garden / "solutions" / "g1_beds" / "quiz.py").unlink()
    run = headcount("check", "g1", cwd=garden)
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
    assert "quiz.py" in run.stderr


def test_a_class(garden: Path, headcount: Run, tmp_path: Path, quiz: Quiz) -> None:
    """Everybody is marked by the numbers of their own name, whatever their sheet says."""
    group = tmp_path / "class"
    hand_in(group, quiz, "ada", right(quiz, "ada"))
    hand_in(group, quiz, "bo", right(quiz, "ada"), numbers="ada")
    hand_in(group, quiz, "cy", right(quiz, DEFAULT), numbers=DEFAULT)
    hand_in(group, quiz, "di", {})
    renamed = hand_in(group, quiz, "ed", right(quiz, "ada"), numbers="ada")
    renamed.write_text(renamed.read_text("utf-8").replace('learner: "ada"', "learner: ed"), "utf-8")
    hand_in(group, quiz, "Fay", right(quiz, "FAY"), numbers="FAY")
    (group / "gus").mkdir()
    (group / "gus" / G1).write_text("questions: [", "utf-8")
    with ZipFile(group / "hal.zip", "w") as archive:
        archive.writestr("beds/g1_beds.yml", sheet(quiz, "hal", right(quiz, "hal")))
    (group / "ida").mkdir()
    rows = graded(headcount, garden, group)
    full = {name for name, row in rows.items() if row["points"] == 6}
    assert full == {"ada", "Fay", "hal"}
    assert {name: rows[name]["points"] for name in ("di", "gus", "ida")} == {"di": 0, "gus": 0, "ida": 0}
    for stranger in ("bo", "cy", "ed"):
        failed = {check["id"] for check in rows[stranger]["checks"] if not check["passed"]}
        assert {"area", "rows"} <= failed
    assert rows["bo"]["flags"] == ["this is the sheet of 'ada'; what varies was marked by the own numbers of 'bo'"]
    assert "right on the sheet that everybody has" in rows["cy"]["message"]
    assert (rows["di"]["verdict"], rows["di"]["message"]) == ("NOT_DEFINED", "The sheet is not answered yet.")
    assert rows["ed"]["flags"] == []
    assert rows["gus"]["verdict"] == "SYNTAX_ERROR"
    assert rows["gus"]["message"].startswith("gus/g1_beds.yaml:")
    assert (rows["ida"]["verdict"], rows["ida"]["message"]) == ("NOT_SUBMITTED", "g1_beds.yaml was not handed in.")


def test_shared_numbers(garden: Path, headcount: Run, tmp_path: Path, quiz: Quiz) -> None:
    """Where a course shares its numbers, everybody answers the sheet in exercises/."""
    course = garden / "course.yaml"
    course.write_text(course.read_text("utf-8").replace("quiz_numbers: own", "quiz_numbers: shared"), "utf-8")
    group = tmp_path / "class"
    hand_in(group, quiz, "ada", right(quiz, DEFAULT), numbers=DEFAULT)
    hand_in(group, quiz, "bo", right(quiz, "bo"))
    rows = graded(headcount, garden, group)
    assert (rows["ada"]["points"], rows["ada"]["flags"]) == (6, [])
    assert rows["bo"]["points"] < 6
    assert rows["bo"]["flags"] == [
        "this is the sheet of 'bo'; what varies was marked by the numbers that everybody has"
    ]


def test_regrade_after_a_mended_answer(garden: Path, headcount: Run, tmp_path: Path, quiz: Quiz) -> None:
    """What was typed is kept, so a mended key marks it anew."""
    group = tmp_path / "class"
    hand_in(group, quiz, "ada", right(quiz, "ada") | {"tool": "a hose"})
    assert graded(headcount, garden, group)["ada"]["points"] == 5
    source = garden / "solutions" / "g1_beds" / "quiz.py"
    text = source.read_text("utf-8").replace('"A hose brings water."', '"Some hoses do.", right=True')
    source.write_text(text.replace('"A spade turns it.", right=True', '"Not any more."'), "utf-8")
    run = headcount("regrade", garden / "out", cwd=garden)
    assert run.returncode == 0, run.stderr
    assert "check tool passes now" in run.stdout


def test_a_quiz_in_two_places_is_refused(garden: Path, headcount: Run, tmp_path: Path, quiz: Quiz) -> None:
    """Two sheets of one exercise are ambiguous, whatever their endings."""
    group = tmp_path / "class"
    path = hand_in(group, quiz, "ada", right(quiz, "ada"))
    path.with_suffix(".yml").write_text(path.read_text("utf-8"), "utf-8")
    run = headcount("grade", group, "--out", garden / "out", cwd=garden)
    assert "handed in both" in (garden / "out" / "results.jsonl").read_text("utf-8"), run.stderr
