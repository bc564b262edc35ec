"""A course of two code exercises, a quiz and a text in one notebook, and what students make of such a notebook."""

from __future__ import annotations

import copy
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring import books, stubs
from autograder.course.load import load_course
from tests.conftest import ROOT

pytest.importorskip("nbgrader", reason="the extra 'nbgrader' is not installed")

COURSES = ROOT / "tests" / "courses"
NAME = "k_kitchen"
K1, K2, QUIZ, TEXT = "k1_scale_recipe", "k2_heaviest", "k3_beds", "k4_harbour"
RIGHT = "def scale_recipe(amounts, have, want):\n    assert have\n    return amounts * want / have\n"
WRONG = "def scale_recipe(amounts, written_for, guests):\n    return amounts * guests\n"
HEAVIEST = "def heaviest(scale, bowls):\n    return max(range(bowls), key=scale)\n"
CARD = "You will find me on the red boat at the third pier until Sunday.\n"
LATE = """
late:
  due: 2026-03-02T18:00:00Z
  penalty_per_day: 10
  extensions: {gwen: 2026-03-09T18:00:00Z}
"""
HEADCOUNT = (sys.executable, "-m", "autograder")


@pytest.fixture(scope="session")
def market_course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fixture courses about cooking, gardens and postcards as one, with a course folder made by the command.

    To be looked at only: tests that change something take a copy.
    """
    from ruamel.yaml import YAML

    root = tmp_path_factory.mktemp("course") / "market"
    yaml = YAML(typ="safe", pure=True)
    data = {}
    for course, old, new in (("kitchen", "", ""), ("garden", "g1_beds", QUIZ), ("postcards", "p1_harbour", TEXT)):
        shutil.copytree(COURSES / course / "solutions", root / "solutions", dirs_exist_ok=True)
        more = yaml.load((COURSES / course / "course.yaml").read_text("utf-8"))
        if not data:
            data = more
            continue
        (root / "solutions" / old).rename(root / "solutions" / new)
        data["families"] |= more["families"]
        data["exercises"] += [each | {"id": new, "stage": "K"} for each in more["exercises"]]
    (root / "exercises" / "notebooks").mkdir(parents=True)
    with (root / "course.yaml").open("w") as file:
        yaml.dump(data, file)
        file.write(LATE)
    course = load_course(root)
    for exercise in course.exercises:
        stubs.write_stub(course, exercise)
    assert list(books.write(course, course.exercises))
    run = subprocess.run([*HEADCOUNT, "nbgrader", "init", root / "nb"], cwd=root, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return root


@pytest.fixture
def market(market_course: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(market_course, tmp_path / "market"))


def notebook(course: Path) -> dict[str, Any]:
    """The notebook as it is handed out."""
    book: dict[str, Any] = json.loads((course / "exercises" / "notebooks" / f"{NAME}.ipynb").read_text("utf-8"))
    return book


def cell_of(book: dict[str, Any], name: str) -> dict[str, Any]:
    """The cell of this grade_id."""
    return next(cell for cell in book["cells"] if grade_id(cell) == name)


def grade_id(cell: dict[str, Any]) -> str:
    """What nbgrader calls a cell."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def answered(course: Path, **answers: str) -> dict[str, Any]:
    """A notebook with these answers in its cells, by the letter and number of the exercise."""
    book = copy.deepcopy(notebook(course))
    for name, source in answers.items():
        id = next(id for id in (K1, K2, QUIZ, TEXT) if id.startswith(name))
        cell = cell_of(book, id)
        cell["source"] = "".join(cell["source"]) + source if id == TEXT else source
    return book


def hand_in(
    folder: Path, student: str, book: dict[str, Any] | bytes, when: str = "2026-03-01T12:00:00Z", name: str = NAME
) -> Path:
    """Put a notebook where nbgrader puts what it collects."""
    path = folder / "submitted" / student / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(book if isinstance(book, bytes) else json.dumps(book).encode())
    (path.parent / "timestamp.txt").write_text(when)
    return path


def rows(folder: Path, asked: str) -> list[tuple[Any, ...]]:
    """What the gradebook answers."""
    with closing(sqlite3.connect(folder / "gradebook.db")) as gradebook:
        return list(gradebook.execute(asked))


SCORES = """
    select submitted_assignment.student_id, base_cell.name, grade.auto_score, grade.manual_score,
           grade.needs_manual_grade, submitted_notebook.late_submission_penalty
    from grade join base_cell on base_cell.id = grade.cell_id
    join submitted_notebook on submitted_notebook.id = grade.notebook_id
    join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
"""
COMMENTS = """
    select submitted_assignment.student_id, base_cell.name, comment.auto_comment
    from comment join base_cell on base_cell.id = comment.cell_id
    join submitted_notebook on submitted_notebook.id = comment.notebook_id
    join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
"""


def scores(folder: Path) -> dict[str, dict[str, float | None]]:
    """The automatic points of each student by exercise."""
    found: dict[str, dict[str, float | None]] = {}
    for student, cell, auto, *_ in rows(folder, SCORES):
        found.setdefault(student, {})[cell.removesuffix("-check")] = auto
    return found


def comments(folder: Path) -> dict[tuple[str, str], str]:
    """The comments by student and exercise."""
    return {(student, cell): text for student, cell, text in rows(folder, COMMENTS)}


@pytest.fixture(scope="session")
def nbgrader() -> Callable[..., str]:
    """Run nbgrader's own command in a course folder; what it says."""

    def run(*arguments: str, cwd: Path) -> str:
        command = [Path(sys.executable).with_name("nbgrader"), *arguments]
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))  # it calls alembic by its name
        environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PATH": path}
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, check=False, timeout=240, env=environment
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    return run


Nbgrader = Callable[..., str]


@pytest.fixture
def folder(market: Path) -> Path:
    """A course folder made by the command, in the copy of the course."""
    return market / "nb"
