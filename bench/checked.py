"""What one `headcount check` costs a learner, with a worker in the background and without: ``python -m bench.checked``.

Wall time as ratios to starting Python and importing the library, each pair measured back to back. Prints, and writes
nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.course import content
from autograder.course.load import load_course
from bench.measure import BUILD, ENVIRONMENT, ROOT
from bench.report import Goal, goals, median_and_range

ROUNDS = 15
WITHOUT, WITH = {"HEADCOUNT_BACKGROUND": "0"}, {"HEADCOUNT_BACKGROUND": "60"}


def main() -> None:
    """A wrong answer to the first exercise of each library, checked again and again; its key is compiled before."""
    folder = _laid_out()
    numpy, torch = _checks(folder)
    cold = _ratios(numpy, "import numpy", WITHOUT)
    _until_ready(torch)
    warm = _ratios(torch, "import torch", WITH)
    subprocess.run([*torch, "--no-background"], cwd=folder, env=_environment(WITH), stdout=subprocess.DEVNULL)
    print(goals([
        Goal.at_most("a check with NumPy, nothing running : python -c 'import numpy'", 3, cold),
        Goal.at_most("a check with torch, worker ready : python -c 'import torch'", 0.15, warm),
    ]))  # fmt: skip
    print(f"\nmedian and range of {ROUNDS}: {median_and_range(cold)}; {median_and_range(warm)}")


def _laid_out() -> Path:
    folder = BUILD / "checked"
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("exercises", "solutions", "checkpoints"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "course.yaml", folder)
    return folder


def _checks(folder: Path) -> list[list[str]]:
    """A check of the first exercise of each library, as a command that has run once."""
    course = load_course(folder)
    commands = []
    for library in ("numpy", "torch"):
        exercise = next(each for each in course.exercises if each.kind == "code" and each.library == library)
        course.stub_path(exercise).write_text(content.misconceptions(course, exercise)[0].source, "utf-8")
        commands.append([sys.executable, "-m", "autograder", "check", exercise.id])
        _seconds(commands[-1], WITHOUT)
    return commands


def _until_ready(check: Sequence[str]) -> None:
    """Check until the worker that the first check left behind is quick."""
    first = _seconds(check, WITH)
    while _seconds(check, WITH) > first / 3:
        pass


def _ratios(check: Sequence[str], imports: str, setting: Mapping[str, str]) -> list[float]:
    return [_seconds(check, setting) / _seconds([sys.executable, "-c", imports], setting) for _ in range(ROUNDS)]


def _seconds(command: Sequence[str], setting: Mapping[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=BUILD / "checked", env=_environment(setting), stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def _environment(setting: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **ENVIRONMENT, "PYTHONPATH": str(ROOT), "XDG_RUNTIME_DIR": str(BUILD), **setting}


if __name__ == "__main__":
    main()
