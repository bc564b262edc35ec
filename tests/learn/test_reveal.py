"""The model answer: after solving for comparison, or after three real tries and a yes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.learn.conftest import ADDED, RIGHT, UPSIDE_DOWN, WRONG, answer

MODEL = "    return amounts * guests / written_for  # (n,)\n"


@pytest.fixture
def tried(kitchen: Path, headcount: Run) -> Path:
    """The course of somebody who has tried three different answers."""
    for text in (WRONG, UPSIDE_DOWN, ADDED):
        answer(kitchen, text)
        headcount("check", "k1", cwd=kitchen)
    return kitchen


def typed(course: Path, text: str) -> subprocess.CompletedProcess[str]:
    """`headcount reveal k1`, with this typed at its question."""
    command = [sys.executable, "-m", "autograder", "reveal", "k1"]
    return subprocess.run(command, cwd=course, input=text, capture_output=True, text=True, check=False)


def test_not_before_three_real_tries(kitchen: Path, headcount: Run) -> None:
    """The same answer three times is one try; the refusal says how many are missing, and --yes changes nothing."""
    answer(kitchen, WRONG)
    for _ in range(3):
        headcount("check", "k1", cwd=kitchen)
    run = headcount("reveal", "k1", "--yes", cwd=kitchen)
    assert run.returncode == 1
    assert "2 to go" in " ".join(run.stdout.split())
    assert MODEL not in run.stdout


def test_after_three_tries_and_a_yes(tried: Path, headcount: Run) -> None:
    """It is asked for, shown without marks and lesson, noted, and stays noted after solving."""
    run = typed(tried, "yes\n")
    assert run.returncode == 0
    assert "It will be noted as revealed. Type yes to see it" in run.stdout
    assert MODEL in run.stdout
    assert "SOLUTION" not in run.stdout
    assert ">>>" not in run.stdout
    assert "answer revealed" in headcount("list", cwd=tried).stdout
    answer(tried, RIGHT)
    headcount("check", "k1", cwd=tried)
    assert "solved, after its answer was revealed" in headcount("list", cwd=tried).stdout


@pytest.mark.parametrize("said", ["no\n", "\n", "yesterday\n"])
def test_anything_but_a_yes_shows_nothing(tried: Path, said: str) -> None:
    """Only y or yes is a yes, and nothing is noted."""
    run = typed(tried, said)
    assert run.returncode == 1
    assert MODEL not in run.stdout
    assert json.loads((tried / ".headcount" / "progress.json").read_text())["k1_scale_recipe"]["revealed"] is False


def test_nobody_there_to_say_yes(tried: Path, headcount: Run) -> None:
    """Without any input it stops with one line; --yes says it beforehand."""
    assert typed(tried, "").returncode == 130
    assert MODEL in headcount("reveal", "k1", "--yes", cwd=tried).stdout


def test_after_solving_it_is_a_comparison(kitchen: Path, headcount: Run) -> None:
    """Nothing is asked or noted; the idea and the difference in means are told."""
    answer(kitchen, RIGHT)
    headcount("check", "k1", cwd=kitchen)
    run = headcount("reveal", "k1", cwd=kitchen)
    assert run.returncode == 0
    assert run.stdout.startswith("One right answer, for comparison.")
    assert "The idea: Divide by the persons" in run.stdout
    assert "Where the two differ: only this one uses ValueError." in run.stdout
    assert "Other right answers in solutions/k1_scale_recipe/styles: 1." in run.stdout
    assert "revealed" not in headcount("list", cwd=kitchen).stdout


def test_solved_and_then_broken(kitchen: Path, headcount: Run) -> None:
    """A file that is no Python any more is compared with nothing, and that is no trouble."""
    answer(kitchen, RIGHT)
    headcount("check", "k1", cwd=kitchen)
    answer(kitchen, "def scale_recipe(:\n")
    run = headcount("reveal", "k1", cwd=kitchen)
    assert MODEL in run.stdout
    assert "differ" not in run.stdout


def test_a_handout_has_no_solutions(kitchen: Path, headcount: Run) -> None:
    """Where solutions/ is not there, the instructor keeps it."""
    shutil.rmtree(kitchen / "solutions")
    run = headcount("reveal", "k1", cwd=kitchen)
    assert run.returncode == 1
    assert "Your instructor keeps the solutions" in run.stdout
