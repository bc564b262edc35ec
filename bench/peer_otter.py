"""otter-grader: the assignment as a notebook and a zip of test files, graded by `otter run`, one command a learner."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench import notebook
from bench.classroom import EXERCISES, Learner
from bench.measure import BUILD, NOTHING, Cost, run
from bench.peer_pytest import ASSIGNMENT
from bench.tool import Tool, Wrong
from bench.venvs import folder_of

HOME = BUILD / "otter"
HEAD = """
OK_FORMAT = False
from otter.test_files import test_case
name = {name!r}
points = 1
"""


def tools(few: Sequence[Learner]) -> list[Tool]:
    """One row."""
    command = folder_of("otter") / "otter"
    shutil.rmtree(HOME, ignore_errors=True)
    (HOME / "tests").mkdir(parents=True)
    for exercise in EXERCISES:
        tests = (ASSIGNMENT / f"{exercise}.py").read_text("utf-8").replace("def test_", "@test_case()\ndef test_")
        (HOME / "tests" / f"{exercise}.py").write_text(HEAD.format(name=exercise) + tests, "utf-8")
    run([command, "generate", "-t", "tests", "-o", "autograder.zip"], HOME)
    for learner in few:
        answers = [notebook.code(name, f"{source}\n# {learner.name}\n") for name, source in learner.files.items()]
        notebook.write(answers, HOME / learner.name / "heads.ipynb")
    title = "otter run, one command per submission"
    return [Tool(title, few, partial(_each, command, few), None, partial(_wrong, few))]


def _each(command: Path, few: Sequence[Learner]) -> Cost:
    total = NOTHING
    for learner in few:
        own = HOME / learner.name
        (own / "results.json").unlink(missing_ok=True)
        total += run([command, "run", "-a", HOME / "autograder.zip", "-o", own, own / "heads.ipynb"], own)
    return total


def _wrong(few: Sequence[Learner]) -> Wrong:
    found = set()
    for learner in few:
        tests = json.loads((HOME / learner.name / "results.json").read_text("utf-8"))["tests"]
        found |= {(learner.name, test["name"]) for test in tests if test.get("score", 0) < test.get("max_score", 0)}
    return found
