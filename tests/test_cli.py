"""The command itself: what it says where it is called with nothing, nowhere, or is stopped while it starts."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from autograder import __main__ as started
from autograder.errors import HeadcountError
from autograder.teach.commands import graded_folder
from tests.conftest import Run


@pytest.mark.parametrize(
    "arguments", [("grade", "class", "--out", ""), ("grade", "", "--out", "out"), ("regrade", ""), ("release", "")]
)
def test_an_empty_name_is_not_the_folder_where_one_stands(
    arguments: tuple[str, ...], kitchen: Path, headcount: Run
) -> None:
    """As from `--out "$OUT"` where OUT is not set: nothing is written anywhere."""
    before = sorted(kitchen.rglob("*"))
    run = headcount(*arguments, cwd=kitchen)
    assert run.returncode == 2
    assert "is empty; name a file or folder." in run.stderr
    assert sorted(kitchen.rglob("*")) == before


@pytest.mark.parametrize("closed", [(1,), (2,), (0, 1, 2)])
def test_a_stream_that_is_closed_is_no_bug_of_ours(closed: tuple[int, ...], kitchen: Path) -> None:
    """Services start programs without streams; what is written to them is lost, and nothing else."""
    command = f"exec {sys.executable} -m autograder list " + " ".join(f"{each}>&-" for each in closed)
    run = subprocess.run(["sh", "-c", command], cwd=kitchen, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("export PYTHONOPTIMIZE=2;", "Python runs with -OO (or PYTHONOPTIMIZE), which drops the texts of a course"),
        ("mkdir gone; cd gone; rmdir ../gone;", "The folder you are in has been removed: change to another one."),
        ("export HEADCOUNT_HIGHEST_ISOLATION=high;", "HEADCOUNT_HIGHEST_ISOLATION is 'high', which is no level"),
    ],
)
def test_where_nothing_can_work_one_line_says_why(kitchen: Path, before: str, said: str) -> None:
    """Whatever is asked for, and status 2."""
    command = f"{before} exec {sys.executable} -m autograder check k1"
    run = subprocess.run(["sh", "-c", command], cwd=kitchen, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
    assert run.stderr.startswith(said)


def test_whoever_starts_it_may_ignore_its_children(kitchen: Path) -> None:
    """As some supervisors do, and what they start inherits: the worker's end is noticed all the same."""
    command = f"trap '' CHLD; exec {sys.executable} -m autograder check k1 --json"
    run = subprocess.run(["bash", "-c", command], cwd=kitchen, capture_output=True, text=True, check=False)
    assert '"verdict"' in run.stdout, run.stderr


def test_ctrl_c_while_the_command_loads(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """One word and status 130, as later."""

    class Loading(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "autograder.cli", Loading("autograder.cli"))
    monkeypatch.setattr(started.gc, "set_threshold", lambda _: None)
    monkeypatch.setattr(started.gc, "freeze", lambda: None)
    with pytest.raises(SystemExit) as ended:
        started.run()
    assert (ended.value.code, capsys.readouterr().err) == (130, "Stopped.\n")


def test_a_full_disk_is_said_of_the_folder(kitchen: Path, headcount: Run) -> None:
    """Whatever is being done there, and what is there already is kept."""
    (kitchen / "class" / "ada").mkdir(parents=True)
    (kitchen / "class" / "ada" / "k1_scale_recipe.py").write_text("")
    assert headcount("grade", "class", "--out", "out", cwd=kitchen).returncode == 0
    with (
        pytest.raises(HeadcountError, match=r"out: results cannot be written there \(No space left on device\)\. What"),
        graded_folder(kitchen / "out"),
    ):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
