"""nbgrader: the assignment as a notebook with tests in locked cells, graded by `nbgrader autograde`."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from bench import notebook
from bench.classroom import EXERCISES, Learner
from bench.measure import BUILD, NOTHING, Cost, run
from bench.peer_pytest import ASSIGNMENT
from bench.tool import Tool, Wrong
from bench.venvs import folder_of

NAME = "heads"
HOME = BUILD / "nbgrader"
COURSE, ONE, GRADED = HOME / "course", HOME / "course-of-one", HOME / "graded"
#: Learner and test cell of everything that did not get its point.
LOST = """
    select student_id, name from grade
    join base_cell on base_cell.id = grade.cell_id
    join submitted_notebook on submitted_notebook.id = grade.notebook_id
    join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
    where coalesce(auto_score, 0) < 1
"""


def tools(few: Sequence[Learner]) -> list[Tool]:
    """Two rows: one command for each learner, and one for the whole class."""
    command = folder_of("nbgrader") / "nbgrader"
    _course(command, few, COURSE)
    _course(command, few[:1], ONE)
    each, batch = partial(_each, command, few), partial(_batch, command, COURSE)
    return [
        Tool("nbgrader autograde, one command per learner", few, each, None, _wrong),
        Tool("nbgrader autograde, the whole class", few, batch, partial(_batch, command, ONE), _wrong),
    ]


def _course(command: Path, few: Sequence[Learner], folder: Path) -> None:
    """A course folder with the released assignment and everything handed in."""
    shutil.rmtree(folder, ignore_errors=True)
    cells = []
    for exercise, entry in EXERCISES.items():
        tests = (ASSIGNMENT / f"{exercise}.py").read_text("utf-8")
        stub = "### BEGIN SOLUTION\n### END SOLUTION"
        cells.append(notebook.code(exercise, stub, _role(exercise, solution=True)))
        hidden = f"### BEGIN HIDDEN TESTS\n{tests}\ntest_{entry}({entry})\n### END HIDDEN TESTS"
        cells.append(notebook.code(f"{exercise}-tests", hidden, _role(f"{exercise}-tests", solution=False)))
    notebook.write(cells, folder / "source" / NAME / f"{NAME}.ipynb")
    (folder / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'bench'\n", "utf-8")
    run([command, "generate_assignment", NAME], folder)
    released = notebook.cells(folder / "release" / NAME / f"{NAME}.ipynb")
    for learner in few:
        for cell in released:
            if cell["id"] in learner.files:
                cell["source"] = f"{learner.files[cell['id']]}\n# {learner.name}\n"
        notebook.write(released, folder / "submitted" / learner.name / NAME / f"{NAME}.ipynb")


def _role(id: str, *, solution: bool) -> dict[str, Any]:
    points = {} if solution else {"points": 1}
    role = {"schema_version": 3, "grade_id": id, "solution": solution, "grade": not solution, "task": False}
    return {"nbgrader": {**role, "locked": not solution, **points}}


def _fresh(course: Path) -> Path:
    shutil.rmtree(GRADED, ignore_errors=True)
    return Path(shutil.copytree(course, GRADED))


def _batch(command: Path, course: Path) -> Cost:
    return run([command, "autograde", NAME], _fresh(course))


def _each(command: Path, few: Sequence[Learner]) -> Cost:
    total, course = NOTHING, _fresh(COURSE)
    for learner in few:
        total += run([command, "autograde", NAME, f"--student={learner.name}"], course)
    return total


def _wrong() -> Wrong:
    with closing(sqlite3.connect(GRADED / "gradebook.db")) as gradebook:
        return {(learner, cell.removesuffix("-tests")) for learner, cell in gradebook.execute(LOST)}
