"""How long after a save `headcount watch` tells the verdict: ``python -m bench.watch``. Prints, and writes nothing."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from autograder.course import content
from autograder.course.load import load_course
from autograder.course.model import Course, Exercise
from bench.measure import BUILD, ENVIRONMENT, ROOT

SAVES = 50
END = "passed"
"""The last line of every verdict on a wrong answer holds this word."""


def main() -> None:
    """The first exercise of each library, with a wrong answer saved again and again, each time with another comment."""
    course = load_course(ROOT)
    for library in ("numpy", "torch"):
        exercise = next(each for each in course.exercises if each.kind == "code" and each.library == library)
        waits = _waits(course, exercise)
        spread = f"{min(waits) * 1000:.0f}-{max(waits) * 1000:.0f}"
        median = statistics.median(waits) * 1000
        print(f"{exercise.id} ({library}): {median:.0f} ms from save to verdict, median of {SAVES} ({spread})")
    print(f"import torch, in a process of its own: {_import_torch() * 1000:.0f} ms, median of 5")


def _waits(course: Course, exercise: Exercise) -> list[float]:
    """Seconds from each save to the last line of its verdict, the first ones left out while workers start."""
    folder = BUILD / "watched"
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("exercises", "solutions"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "course.yaml", folder)
    path = folder / "exercises" / exercise.file
    wrong = content.misconceptions(course, exercise)[0].source
    waits = []
    with _watching(folder, exercise.id) as said:
        _read_verdict(said)
        for number in range(SAVES):
            draft = path.with_suffix(".draft")
            draft.write_text(f"{wrong}\n# {number}\n", "utf-8")
            os.replace(draft, path)
            start = time.perf_counter()
            _read_verdict(said)
            waits.append(time.perf_counter() - start)
    return waits


@contextmanager
def _watching(folder: Path, id: str) -> Iterator[IO[str]]:
    environment = os.environ | ENVIRONMENT | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "autograder", "watch", id]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout
        try:
            yield run.stdout
        finally:
            run.terminate()


def _read_verdict(said: IO[str]) -> None:
    for line in said:
        if END in line:
            return
    raise SystemExit("headcount watch ended before it gave its verdict")


def _import_torch() -> float:
    waits = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import torch"], env=os.environ | ENVIRONMENT, check=True)
        waits.append(time.perf_counter() - start)
    return statistics.median(waits)


if __name__ == "__main__":
    main()
