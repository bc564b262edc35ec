"""The usual home-made grader: a fresh Python with torch and pytest for each submission, references in its process."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.classroom import EXERCISES, Learner, hand_in
from bench.measure import BUILD, NOTHING, ROOT, Cost, run
from bench.tool import Tool, Wrong

ASSIGNMENT = ROOT / "bench" / "assignment"
#: What a test asks for by name is what the learner's file of that exercise defines.
CONFTEST = """
import importlib
import pytest

def _fixture(file, name):
    return pytest.fixture(name=name)(lambda: getattr(importlib.import_module(file), name))

{fixtures}
"""


def tools(few: Sequence[Learner]) -> list[Tool]:
    """One row."""
    folder = hand_in(few, BUILD / "pytest")
    fixtures = "\n".join(f"_{entry} = _fixture({file!r}, {entry!r})" for file, entry in EXERCISES.items())
    for learner in few:
        own = folder / learner.name
        (own / "conftest.py").write_text(CONFTEST.format(fixtures=fixtures), "utf-8")
        (own / "pytest.ini").write_text("[pytest]\n", "utf-8")
        for exercise in EXERCISES:
            shutil.copy(ASSIGNMENT / f"{exercise}.py", own / f"test_{exercise}.py")
    title = "python + torch + pytest, one command per submission"
    return [Tool(title, few, partial(_each, folder, few), None, partial(_wrong, folder, few))]


def _each(folder: Path, few: Sequence[Learner]) -> Cost:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "-rf"]
    total = NOTHING
    for learner in few:
        own = folder / learner.name
        # 1 says that tests failed, as they should; plugins that happen to be installed would only make pytest slower
        total += run(command, own, {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, fine=(0, 1), log=own / "pytest.log")
    return total


def _wrong(folder: Path, few: Sequence[Learner]) -> Wrong:
    logs = {learner.name: (folder / learner.name / "pytest.log").read_text("utf-8") for learner in few}
    return {(name, exercise) for name, log in logs.items() for exercise in EXERCISES if f" test_{exercise}.py::" in log}
