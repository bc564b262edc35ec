"""The texts of a class: kept, never counted as wrong, marked by a person, and marked again when they change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

FILE = "p1_harbour.md"
CARD = "You will find me on the red boat at the third pier until Sunday.\n"


@pytest.fixture
def group(postcards: Path) -> Path:
    """Ada wrote a card, bo handed in the file as it is, cy a few words in a notebook."""
    group = postcards / "class"
    stub = (postcards / "exercises" / FILE).read_text("utf-8")
    for learner, text in (("ada", stub + CARD), ("bo", stub)):
        (group / learner).mkdir(parents=True)
        (group / learner / FILE).write_text(text, "utf-8")
    cell = {"cell_type": "markdown", "metadata": {"nbgrader": {"grade_id": "p1_harbour"}}, "source": "! Come soon."}
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    (group / "cy.ipynb").write_text(json.dumps(book), "utf-8")
    return group


def rows(course: Path) -> dict[str, dict[str, Any]]:
    """What results.jsonl says, by learner."""
    lines = (course / "out" / "results.jsonl").read_text("utf-8").splitlines()
    return {row["learner"]: row for row in map(json.loads, lines)}


def grade(headcount: Run, group: Path) -> str:
    """Grade with the real command; what it prints."""
    run = headcount("grade", group, "--out", group.parent / "out", cwd=group.parent)
    assert (run.returncode, "Traceback" in run.stderr) == (0, False), run.stderr
    return run.stdout


def mark(headcount: Run, group: Path, *arguments: str) -> str:
    """Mark with the real command; what it prints."""
    run = headcount("mark", group.parent / "out", *arguments, cwd=group.parent)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_texts_wait_for_a_person(group: Path, headcount: Run) -> None:
    """A text is not wrong before somebody has read it; only an empty one is nothing."""
    said = grade(headcount, group)
    found = rows(group.parent)
    assert {name: (row["verdict"], row["points"], row["max_points"]) for name, row in found.items()} == {
        "ada": ("TO_BE_MARKED", 0, 3),
        "bo": ("NOT_DEFINED", 0, 3),
        "cy": ("TO_BE_MARKED", 0, 3),
    }
    assert found["cy"]["flags"] == ["2 words, where 10 to 20 words are asked for"]
    assert "2 texts wait for marks" in said
    waiting = mark(headcount, group)
    assert ("ada  p1_harbour" in waiting, "bo  p1_harbour" in waiting, "2 to be marked." in waiting) == (
        True,
        False,
        True,
    )


def test_reading_a_text(group: Path, headcount: Run) -> None:
    """The marker sees the text, the rubric and the model text, and no control characters of a stranger."""
    (group / "ada" / FILE).write_text("A \x1b[31mred\x1b[0m boat.\n", "utf-8")
    grade(headcount, group)
    said = mark(headcount, group, "ada", "p1")
    assert "red" in said
    assert "\x1b" not in said
    assert "Names the pier" in said
    assert "behind the fish hall" in said


def test_marks_stay(group: Path, headcount: Run) -> None:
    """Points and comment are in the results at once, and after grading and regrading."""
    grade(headcount, group)
    mark(headcount, group, "ada", "p1", "--points", "2", "--comment", "Until  which\nSunday?")
    for again in (None, "grade", "regrade"):
        if again == "grade":
            grade(headcount, group)
        elif again:
            run = headcount("regrade", group.parent / "out", cwd=group.parent)
            assert "No mark changes" in run.stdout
        row = rows(group.parent)["ada"]
        assert (row["points"], row["verdict"], row["message"]) == (2, "MARKED", "Until which Sunday?")
    assert "Marked: 2 of 3 points. Until which Sunday?" in mark(headcount, group, "ada", "p1")


def test_a_mark_is_changed(group: Path, headcount: Run) -> None:
    """The last one counts; all points are OK."""
    grade(headcount, group)
    mark(headcount, group, "ada", "p1", "--points", "2")
    mark(headcount, group, "ada", "p1", "--points", "3")
    assert (rows(group.parent)["ada"]["points"], rows(group.parent)["ada"]["verdict"]) == (3, "OK")


@pytest.mark.parametrize(("attempts", "kept"), [("last", 1), ("best", 2)])
def test_a_changed_text_is_marked_again(group: Path, headcount: Run, attempts: str, kept: float) -> None:
    """A new text waits, whichever attempt counts; once it is marked, the rule of the course holds."""
    course = group.parent / "course.yaml"
    course.write_text(f"attempts: {attempts}\n{course.read_text('utf-8')}", "utf-8")
    grade(headcount, group)
    mark(headcount, group, "ada", "p1", "--points", "2")
    (group / "ada" / FILE).write_text(f"{CARD} Bring bread.", "utf-8")
    grade(headcount, group)
    assert rows(group.parent)["ada"]["verdict"] == "TO_BE_MARKED"
    mark(headcount, group, "ada", "p1", "--points", "1")
    assert rows(group.parent)["ada"]["points"] == kept


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["eda", "p1", "--points", "2"], "Did you mean 'ada'?"),
        (["bo", "p1", "--points", "2"], "has handed in no p1_harbour.md with something in it"),
        (["ada", "p1", "--points", "4"], "from 0 to 3 points"),
        (["ada", "p1", "--points", "nan"], "from 0 to 3 points"),
        (["ada", "p2", "--points", "1"], "no exercise 'p2'"),
        (["ada", "--points", "1"], "say whose, and for what"),
        (["ada", "p1", "--comment", "good"], "--comment goes with --points"),
        (["ada", "p1", "--points", "1", "--comment", "x" * 3000], "too many"),
    ],
)
def test_marks_that_cannot_be_given(group: Path, headcount: Run, arguments: list[str], said: str) -> None:
    """One line says why, and nothing changes."""
    grade(headcount, group)
    before = rows(group.parent)
    run = headcount("mark", group.parent / "out", *arguments, cwd=group.parent)
    assert (run.returncode, run.stderr.count("\n"), said in run.stderr) == (2, 1, True), run.stderr
    assert rows(group.parent) == before


def test_nothing_was_graded(postcards: Path, headcount: Run) -> None:
    """There is nothing to mark before a class was graded."""
    run = headcount("mark", postcards / "out", cwd=postcards)
    assert (run.returncode, "headcount grade CLASS" in run.stderr) == (2, True)


def test_a_text_in_a_code_cell(group: Path, headcount: Run) -> None:
    """A cell of another kind is refused, and it is said what to turn it into."""
    path = group / "cy.ipynb"
    path.write_text(path.read_text("utf-8").replace('"markdown"', '"code"'), "utf-8")
    grade(headcount, group)
    assert "turn it back into a markdown cell" in rows(group.parent)["cy"]["message"]
