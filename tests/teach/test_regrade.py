"""Grading the same class again: resuming, regrading, attempts, late work."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.teach.test_grade import HEAVIEST, RIGHT, WRONG, graded, hand_in


def edit(path: Path, before: str, after: str) -> None:
    """Replace one piece of a file that has to be there."""
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")


@pytest.fixture
def group(tmp_path: Path) -> Path:
    """A class of three."""
    group = tmp_path / "class"
    hand_in(group, "ada", "k1_scale_recipe", RIGHT)
    hand_in(group, "bo", "k1_scale_recipe", WRONG)
    hand_in(group, "cleo", "k2_heaviest", HEAVIEST)
    return group


def test_a_second_run_runs_nothing_again(kitchen: Path, group: Path, headcount: Run) -> None:
    """What was graded is not run again: the ledger does not grow, and the results are the same."""
    first = graded(headcount, kitchen, group)
    size = (kitchen / "out" / "ledger.jsonl").stat().st_size
    assert graded(headcount, kitchen, group) == first
    assert (kitchen / "out" / "ledger.jsonl").stat().st_size == size


def test_only_what_changed_is_run(kitchen: Path, group: Path, headcount: Run) -> None:
    """A new source is run and counted as a second attempt; the last one handed in counts."""
    graded(headcount, kitchen, group)
    hand_in(group, "bo", "k1_scale_recipe", RIGHT)
    rows = graded(headcount, kitchen, group)
    assert (rows["bo", "k1_scale_recipe"]["verdict"], rows["bo", "k1_scale_recipe"]["attempts"]) == ("OK", 2)
    hand_in(group, "bo", "k1_scale_recipe", WRONG)
    rows = graded(headcount, kitchen, group)
    assert (rows["bo", "k1_scale_recipe"]["points"], rows["bo", "k1_scale_recipe"]["attempts"]) == (0, 2)


def test_the_best_attempt_counts_where_the_course_says_so(kitchen: Path, group: Path, headcount: Run) -> None:
    """With `attempts: best` a worse second try costs nothing."""
    edit(kitchen / "course.yaml", "title: Kitchen arithmetic", "title: Kitchen arithmetic\nattempts: best")
    graded(headcount, kitchen, group)
    hand_in(group, "ada", "k1_scale_recipe", WRONG)
    assert graded(headcount, kitchen, group)["ada", "k1_scale_recipe"]["points"] == 3


def test_regrade_prints_what_changes_and_why(kitchen: Path, group: Path, headcount: Run) -> None:
    """A new rubric is applied without running anybody's code, and the difference is shown mark by mark."""
    graded(headcount, kitchen, group)
    shutil.rmtree(group)
    edit(kitchen / "course.yaml", "    points: 3", "    points: 5")
    edit(kitchen / "course.yaml", "kept: {points: 1", "kept: {points: 3")
    run = headcount("regrade", "out", cwd=kitchen)
    assert run.returncode == 0, run.stderr
    (line,) = [line for line in run.stdout.splitlines() if line.startswith("ada")]
    assert line.split()[:4] == ["ada", "k1_scale_recipe", "3", "5"]
    assert "check kept is worth 3, was 1" in line
    rows = [json.loads(row) for row in (kitchen / "out" / "results.jsonl").read_text().splitlines()]
    assert {row["learner"]: row["points"] for row in rows if row["exercise"] == "k1_scale_recipe"}["ada"] == 5


def test_regrade_without_a_change(kitchen: Path, group: Path, headcount: Run) -> None:
    """Nothing changed, nothing is said to change, and the file is the same to the byte."""
    graded(headcount, kitchen, group)
    before = (kitchen / "out" / "results.jsonl").read_bytes()
    run = headcount("regrade", "out", cwd=kitchen)
    assert "No mark changes" in run.stdout
    assert (kitchen / "out" / "results.jsonl").read_bytes() == before


def test_new_probes_need_a_run(kitchen: Path, group: Path, headcount: Run) -> None:
    """When other things are asked, regrade says that the class has to be graded again."""
    graded(headcount, kitchen, group)
    edit(kitchen / "solutions/k1_scale_recipe/probes.py", '"guests": 10', '"guests": 12')
    run = headcount("regrade", "out", cwd=kitchen)
    assert "OK is now NOT_GRADED" in run.stdout
    assert "grade the class again" in run.stderr
    assert run.returncode == 2  # not finished
    assert graded(headcount, kitchen, group)["ada", "k1_scale_recipe"]["verdict"] == "OK"


def test_another_secret_is_noticed(kitchen: Path, group: Path, headcount: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who regrades without the secret of the grading is told so, and no mark is touched."""
    graded(headcount, kitchen, group)
    before = (kitchen / "out" / "results.jsonl").read_bytes()
    monkeypatch.setenv("HEADCOUNT_SECRET", "another")
    run = headcount("regrade", "out", cwd=kitchen)
    assert (run.returncode, "another secret" in run.stderr) == (2, True)
    assert (kitchen / "out" / "results.jsonl").read_bytes() == before


def test_the_best_attempt_survives_new_probes(kitchen: Path, group: Path, headcount: Run) -> None:
    """When other things are asked, earlier attempts are run again from what the ledger keeps of them."""
    edit(kitchen / "course.yaml", "title: Kitchen arithmetic", "title: Kitchen arithmetic\nattempts: best")
    graded(headcount, kitchen, group)
    hand_in(group, "ada", "k1_scale_recipe", WRONG)
    edit(kitchen / "solutions/k1_scale_recipe/probes.py", '"guests": 10', '"guests": 12')
    row = graded(headcount, kitchen, group)["ada", "k1_scale_recipe"]
    assert (row["points"], row["attempts"]) == (3, 2)


def test_what_was_in_time_stays_in_time(kitchen: Path, group: Path, headcount: Run) -> None:
    """A file that is copied later, and so looks newer, is not late: the first time it was seen counts."""
    late = "late: {due: 2026-03-01T12:00:00Z, penalty_per_day: 25}"
    edit(kitchen / "course.yaml", "title: Kitchen arithmetic", f"title: Kitchen arithmetic\n{late}")
    path = group / "ada" / "k1_scale_recipe.py"
    os.utime(path, (1772000000, 1772000000))  # 2026-02-25
    graded(headcount, kitchen, group)
    os.utime(path, (1774000000, 1774000000))  # 2026-03-20
    edit(kitchen / "solutions/k1_scale_recipe/probes.py", '"guests": 10', '"guests": 12')
    assert graded(headcount, kitchen, group)["ada", "k1_scale_recipe"]["late_days"] == 0


def test_regrade_tells_what_is_gone(kitchen: Path, group: Path, headcount: Run) -> None:
    """A result that vanishes is listed like any other change; lines that somebody edited are left out."""
    graded(headcount, kitchen, group)
    path = kitchen / "out" / "results.jsonl"
    row = json.loads(path.read_text().splitlines()[0])
    extra = [{**row, "learner": "zoe"}, {**row, "learner": ["x"]}, {**row, "points": "three"}, {**row, "checks": [5]}]
    path.write_text(path.read_text() + "".join(json.dumps(each) + "\n" for each in extra))
    run = headcount("regrade", "out", cwd=kitchen)
    (line,) = [line for line in run.stdout.splitlines() if line.startswith("zoe")]
    assert line.split()[2:] == ["3", "-", "gone"]


def test_an_empty_ledger_wipes_nothing(kitchen: Path, group: Path, headcount: Run) -> None:
    """A ledger that lost everything is refused, and the results stay."""
    graded(headcount, kitchen, group)
    (kitchen / "out" / "ledger.jsonl").write_text("")
    before = (kitchen / "out" / "results.jsonl").read_bytes()
    assert headcount("regrade", "out", cwd=kitchen).returncode == 2
    assert (kitchen / "out" / "results.jsonl").read_bytes() == before


def test_regrade_where_nothing_was_graded(kitchen: Path, headcount: Run) -> None:
    """A folder without a ledger: one line that says how to make one."""
    run = headcount("regrade", "nowhere", cwd=kitchen)
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
    assert "headcount grade" in run.stderr


def test_late_work_loses_points(kitchen: Path, group: Path, headcount: Run) -> None:
    """Due time, penalty a day, and an extension for one learner."""
    late = "late: {due: 2026-03-01T12:00:00Z, penalty_per_day: 25, extensions: {cleo: 2026-03-09T12:00:00Z}}"
    edit(kitchen / "course.yaml", "title: Kitchen arithmetic", f"title: Kitchen arithmetic\n{late}")
    for path in group.rglob("*.py"):
        os.utime(path, (1772452800, 1772452800))  # 2026-03-02T12:00:00Z, a day late
    rows = graded(headcount, kitchen, group)
    assert "'cleo'" not in headcount("grade", group, "--out", "out", cwd=kitchen).stderr
    edit(kitchen / "course.yaml", "extensions: {cleo:", "extensions: {kleo:")
    said = "'kleo' applies to nobody who handed in. Did you mean 'cleo'?"
    assert said in headcount("grade", group, "--out", "out", cwd=kitchen).stderr
    assert said in headcount("regrade", "out", cwd=kitchen).stderr
    ada, cleo = rows["ada", "k1_scale_recipe"], rows["cleo", "k2_heaviest"]
    assert (ada["late_days"], ada["points"], ada["max_points"]) == (1, 2.25, 3)
    assert (cleo["late_days"], cleo["points"]) == (0, 2)


@pytest.mark.slow
def test_killed_at_any_moment_and_resumed(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """Kill -9 of the grader at random moments: what is graded in the end equals an undisturbed run, each mark once."""
    group = tmp_path / "class"
    for number in range(12):
        hand_in(group, f"learner{number:02}", "k1_scale_recipe", f"# {number}\n" + (WRONG if number % 3 else RIGHT))
        hand_in(group, f"learner{number:02}", "k2_heaviest", f"# {number}\n{HEAVIEST}")
    undisturbed = graded(headcount, kitchen, group)
    whole = (kitchen / "out" / "results.jsonl").read_bytes()
    shutil.rmtree(kitchen / "out")
    command = [sys.executable, "-m", "autograder", "grade", str(group), "--out", "out", "--jobs", "2"]
    moments = random.Random(7)
    for _ in range(6):
        grader = subprocess.Popen(command, cwd=kitchen, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            grader.wait(moments.uniform(0.2, 1.4))
        except subprocess.TimeoutExpired:
            grader.send_signal(signal.SIGKILL)
            grader.wait()
    assert graded(headcount, kitchen, group) == undisturbed
    assert (kitchen / "out" / "results.jsonl").read_bytes() == whole


def test_both_ways_to_isolate_give_the_same_file(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """A worker for each upload or for each exercise: the same bytes, for files that poison shared state too."""
    group = tmp_path / "class"
    poison: dict[str, str] = {
        "builtins": "import builtins\nbuiltins.GRAMS = 5\n",
        "module": "import sys, types\nsys.modules['helper'] = types.ModuleType('helper')\n",
        "patch": "import numpy as np\nnp.argmax = lambda *_: 0\n",
        "errors": "import numpy as np\nnp.seterr(all='raise')\n",
        "path": "import sys\nsys.path.insert(0, '/nowhere')\n",
        "limit": "import sys\nsys.setrecursionlimit(50)\n",
    }
    uses = {
        "builtins": HEAVIEST.replace("return", "GRAMS\n    return"),
        "module": "import helper\n" + HEAVIEST,
        "patch": HEAVIEST.replace(
            "return", "import numpy\n    return numpy.argmax(list(map(scale, range(bowls))))\n    return"
        ),
    }
    for learner, source in poison.items():
        hand_in(group, learner, "k1_scale_recipe", source + RIGHT)
        hand_in(group, learner, "k2_heaviest", uses.get(learner, HEAVIEST))
    rows = graded(headcount, kitchen, group)
    together = (kitchen / "out" / "results.jsonl").read_bytes()
    verdicts: dict[str, Any] = {learner: rows[learner, "k2_heaviest"]["verdict"] for learner in poison}
    assert (verdicts["builtins"], verdicts["module"], verdicts["patch"]) == ("EXCEPTION", "IMPORT_ERROR", "OK")
    shutil.rmtree(kitchen / "out")
    graded(headcount, kitchen, group, "--isolate", "exercise")
    assert (kitchen / "out" / "results.jsonl").read_bytes() == together
