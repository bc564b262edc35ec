"""`headcount` as the benches call it: one job, a fresh folder for the marks, hidden probes from a fixed secret."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.classroom import EXERCISES, Learner, hand_in, learners, repeated
from bench.measure import BUILD, ROOT, Cost, run
from bench.tool import Tool, Wrong

MARKS = BUILD / "marks"
FACTS = BUILD / "facts.json"
COMMAND = (sys.executable, "-m", "autograder")


def tools(few: Sequence[Learner], times: int) -> list[Tool]:
    """Grading in the default mode and, where there is such an option, with a fork for every exercise.

    The class hands in the same files `times` over: enough that starting does not hide the cost of a submission.
    """
    compile_keys()
    class_ = repeated(few, times)
    whole, one = hand_in(class_, BUILD / "class"), hand_in(few[:1], BUILD / "class-of-one")
    modes: list[tuple[str, ...]] = [()]
    if offers("--isolate", "grade"):
        modes.append(("--isolate", "exercise"))
    return [
        Tool(
            " ".join(("headcount grade", *mode)),
            class_,
            partial(grade, whole, *mode),
            partial(grade, one, *mode),
            wrong,
        )
        for mode in modes
    ]


def offers(word: str, *command: str) -> bool:
    """Whether the help of a command names this option or sub-command."""
    helped = subprocess.run([*COMMAND, *command, "--help"], cwd=ROOT, capture_output=True, text=True, check=True)
    return word in helped.stdout.split()


def compile_keys() -> None:
    """Compile the keys, which a course needs once and not once a class."""
    grade(hand_in(learners(1), BUILD / "class-of-one"))


def grade(class_: Path, *options: str) -> Cost:
    """Grade a class from nothing."""
    return run([*COMMAND, *_grade(class_), *options], ROOT)


def watched_grade(class_: Path) -> tuple[Cost, dict[str, float]]:
    """Grade a class from nothing, and what `bench.watched` saw of it."""
    cost = run([sys.executable, "-m", "bench.watched", FACTS, *_grade(class_)], ROOT)
    return cost, json.loads(FACTS.read_text("utf-8"))


def regrade() -> Cost:
    """Judge the last grading again."""
    return run([*COMMAND, "regrade", MARKS], ROOT)


def wrong() -> Wrong:
    """Everything that lost points at the last grading."""
    return lost_points(MARKS / "results.jsonl")


def lost_points(results: Path) -> Wrong:
    """Everything in a results.jsonl that lost points."""
    rows = map(json.loads, results.read_text("utf-8").splitlines())
    mine = [row for row in rows if row["exercise"] in EXERCISES]
    return {(row["learner"], row["exercise"]) for row in mine if row["points"] < row["max_points"]}


def _grade(class_: Path) -> list[str | Path]:
    shutil.rmtree(MARKS, ignore_errors=True)  # what was graded before would not be graded again
    return ["grade", class_, "--out", MARKS, "--jobs", "1"]
