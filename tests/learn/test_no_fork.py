"""What a learner does on a system without fork, local sockets and termios, as Windows is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from tests.learn.conftest import ADDED, RIGHT, UPSIDE_DOWN, WRONG, answer

HIDING = ROOT / "tests" / "no_fork"


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of these tests runs with what such a system lacks taken away."""
    known = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(HIDING), str(ROOT), known])))
    monkeypatch.delenv("HEADCOUNT_BACKGROUND")


def test_something_is_missing(headcount: Run) -> None:
    """The tests below say nothing on a system that lacks nothing."""
    run = headcount("doctor")
    assert run.returncode == 1
    assert "because: no os.fork" in run.stdout
    assert "Isolation exists on Linux only" in run.stdout or "level 0" in run.stdout


def test_a_session(kitchen: Path, headcount: Run) -> None:
    """Check, hint, another try, reveal, list and reset, as everywhere."""
    assert "k1_scale_recipe" in headcount(cwd=kitchen).stdout
    for text in (WRONG, UPSIDE_DOWN, ADDED):
        answer(kitchen, text)
        told = headcount("check", cwd=kitchen)
        assert (told.returncode, told.stderr) == (1, "")
    answer(kitchen, WRONG)
    assert "divide by written_for" in headcount("check", cwd=kitchen).stdout
    assert "Hint 1 of 3" in headcount("hint", cwd=kitchen).stdout
    assert "amounts * guests / written_for" in headcount("reveal", "k1", "--yes", cwd=kitchen).stdout
    answer(kitchen, RIGHT)
    assert headcount("check", cwd=kitchen).returncode == 0
    assert "✓ k1" in headcount("list", cwd=kitchen).stdout
    assert "is kept as" in headcount("reset", "k1", cwd=kitchen).stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import os\ndef scale_recipe(a, b, c):\n    os.abort()\n", "SIGABRT"),
        ("import os\ndef scale_recipe(a, b, c):\n    os._exit(3)\n", "(status 3)"),
        ("def scale_recipe(a, b, c):\n    while True: pass\n", "did not finish"),
        ("def scale_recipe(a, b, c):\n    print('q' * 300_000)\n", "qqqqqq"),
        ("import no_such_thing\n", "no_such_thing"),
        ("def scale_recipe(:\n", "Python cannot read the file"),
    ],
    ids=["crash", "exit", "endless loop", "prints", "import", "syntax error"],
)
def test_trouble_is_told(kitchen: Path, headcount: Run, text: str, says: str) -> None:
    """A worker that dies or hangs costs a message and nothing else."""
    answer(kitchen, text)
    run = headcount("check", cwd=kitchen)
    assert (run.returncode, run.stderr) == (1, "")
    assert says in run.stdout


def test_on_every_save(kitchen: Path) -> None:
    """`watch` tells the verdict of what is saved; without keys it ends when it is told to."""
    with subprocess.Popen(
        [sys.executable, "-m", "autograder", "watch"], cwd=kitchen, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as run:  # fmt: skip
        assert run.stdout
        for line in run.stdout:
            if "0 of 3 shown checks passed" in line:
                answer(kitchen, RIGHT)
            if "k2_heaviest" in line:
                break
        run.terminate()
        assert "Until next time" in run.stdout.read()


def test_a_quiz(tmp_path: Path) -> None:
    """Questions are asked and answers kept."""
    garden = shutil.copytree(ROOT / "tests" / "courses" / "garden", tmp_path / "garden")
    command = [sys.executable, "-m", "autograder", "quiz"]
    run = subprocess.run(command, cwd=garden, input="a spade\n", capture_output=True, text=True, check=False)
    assert "Right. " in run.stdout
    assert "1 of 6 answers are right" in run.stdout
    assert 'answer: "a spade"' in (garden / "exercises" / "g1_beds.yaml").read_text()


def test_grading_says_what_is_missing(kitchen: Path, headcount: Run, tmp_path: Path) -> None:
    """Strangers' code is not run, and the line names what the system lacks; one's own files can be graded."""
    hand_in = tmp_path / "class" / "ada"
    hand_in.mkdir(parents=True)
    (hand_in / "k1_scale_recipe.py").write_text(RIGHT)
    run = headcount("grade", tmp_path / "class", "--out", tmp_path / "out", cwd=kitchen)
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
    assert "no os.fork" in run.stderr
    trusting = ("grade", tmp_path / "class", "--out", tmp_path / "out", "--no-isolation-i-trust-these-files")
    run = headcount(*trusting, "--plain", cwd=kitchen)
    assert run.returncode == 0
    assert "ada: 3 points" in run.stdout
