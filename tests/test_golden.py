"""One folder a situation: what a learner wrote, and everything the command answers to it, to the letter.

`expected.txt` ends with the exit status. To see what a change of words does, delete one and copy what the test shows.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run

GOLDEN = sorted(path.parent for path in (ROOT / "tests" / "golden").glob("*/expected.txt"))


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course without anybody's progress."""
    root = tmp_path_factory.mktemp("course")
    for name in ("exercises", "solutions", "checkpoints"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "course.yaml", root)
    return root


@pytest.mark.parametrize("folder", GOLDEN, ids=lambda folder: folder.name)
def test_what_the_learner_reads(folder: Path, course: Path, headcount: Run) -> None:
    """The whole output of `headcount check FILE` is the expected text."""
    (answer,) = folder.glob("*.py")
    shutil.rmtree(course / ".headcount", ignore_errors=True)
    run = headcount("check", os.path.relpath(answer, course), cwd=course)
    assert f"{run.stdout}{run.stderr}exit {run.returncode}\n" == (folder / "expected.txt").read_text("utf-8")
