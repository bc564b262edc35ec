"""A class in an nbgrader course folder, graded here and by `nbgrader autograde`. ``python -m bench.gradebook``.

Ours reads the notebooks, grades them, and writes gradebook and graded notebooks; nbgrader executes them and does the
same.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench import ours, peer_nbgrader
from bench.classroom import EXERCISES, Learner, learners
from bench.measure import BUILD, ROOT, Cost, run
from bench.report import Goal, figure, goals, median_and_range, run_alone, table
from bench.tool import Tool, Wrong

COURSE, ONE, GRADED = (BUILD / "folder" / name for name in ("course", "course-of-one", "graded"))
NOTEBOOKS = sorted((ROOT / "exercises" / "notebooks").glob("*.ipynb"))
#: Learner and check of everything that did not get its points.
LOST = """
    select student_id, name from grade
    join base_cell on base_cell.id = grade.cell_id
    join grade_cells on grade_cells.id = grade.cell_id
    join submitted_notebook on submitted_notebook.id = grade.notebook_id
    join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
    where coalesce(auto_score, 0) < max_score
"""


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    learners: int = 200
    slow_learners: int = 8
    """nbgrader grades only the first learners of the same class."""
    rounds: int = 3


def measure(plan: Plan) -> str:
    """Grade the class with both, round after round, and return the tables. Raises Failed where ours fails."""
    class_ = learners(plan.learners)
    ours.compile_keys()
    _folder(class_, COURSE)
    _folder(class_[:1], ONE)
    mine = Tool(
        "headcount grade --nbgrader", class_, partial(_grade, COURSE), partial(_grade, ONE), _wrong
    )  # fmt: skip
    _, peer = peer_nbgrader.tools(class_[: plan.slow_learners])
    samples = []
    for number in range(plan.rounds):
        print(f"round {number + 1} of {plan.rounds}", file=sys.stderr, flush=True)
        samples.append((mine.sample(), peer.sample()))
    ratios = [theirs.submission.cpu / own.submission.cpu for own, theirs in samples]
    lines = []
    for at, tool in enumerate((mine, peer)):
        each = [pair[at] for pair in samples]
        lines.append([
            tool.title, f"{len(tool.class_)}",
            median_and_range([1000 * sample.submission.cpu for sample in each]),
            median_and_range([1000 * sample.further.cpu for sample in each]),
            median_and_range([1000 * sample.submission.wall for sample in each]),
            figure(len(tool.found_wrong() if tool.found_wrong else ())),
        ])  # fmt: skip
    head = [
        "tool", "learners", "CPU each, start included", "CPU each further one", "wall each, start included",
        "answers that lost points",
    ]  # fmt: skip
    caption = f"The same {len(EXERCISES)} exercises in notebooks, marks and comments in a gradebook. Milliseconds."
    goal = Goal.at_least("nbgrader autograde : ours, start included", 40, ratios)
    return "\n\n".join([caption, table(head, lines), goals([goal])])


def _folder(class_: Sequence[Learner], folder: Path) -> None:
    """A course folder in which everybody has handed in the notebooks with their answers."""
    shutil.rmtree(folder, ignore_errors=True)
    run([*ours.COMMAND, "nbgrader", "init", folder], ROOT)
    books = {path.stem: json.loads(path.read_text("utf-8")) for path in NOTEBOOKS}
    for learner in class_:
        for name, book in books.items():
            answered = 0
            for cell in book["cells"]:
                id = cell["metadata"].get("nbgrader", {}).get("grade_id")
                if id in learner.files:
                    cell["source"] = f"{learner.files[id]}\n# {learner.name}\n"
                    answered += 1
            if answered:
                path = folder / "submitted" / learner.name / name / f"{name}.ipynb"
                path.parent.mkdir(parents=True)
                path.write_text(json.dumps(book), "utf-8")


def _grade(course: Path) -> Cost:
    shutil.rmtree(GRADED, ignore_errors=True)
    shutil.copytree(course, GRADED)
    return run([*ours.COMMAND, "grade", "--nbgrader", GRADED, "--jobs", "1"], ROOT)


def _wrong() -> Wrong:
    with closing(sqlite3.connect(GRADED / "gradebook.db")) as gradebook:
        found = {(learner, cell.removesuffix("-check")) for learner, cell in gradebook.execute(LOST)}
    return {(learner, exercise) for learner, exercise in found if exercise in EXERCISES}


if __name__ == "__main__":
    run_alone("gradebook", lambda: measure(Plan()))
