"""The benches: the same class on every run, costs that count children, and tables that stay between their marks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench import classroom, measure, report


def test_the_class_is_the_same_on_every_run_and_no_two_files_are_equal(tmp_path: Path) -> None:
    """A larger class begins with the smaller one; copies differ in their last line alone."""
    few = classroom.learners(3)
    assert classroom.learners(5)[:3] == few
    folder = classroom.hand_in(classroom.repeated(few, 2), tmp_path / "class")
    sources = [path.read_text("utf-8") for path in folder.glob("*/*.py")]
    assert len(set(sources)) == len(sources) == 6 * len(classroom.EXERCISES)


def test_a_cost_counts_the_children_of_a_command(tmp_path: Path) -> None:
    """Processor time spent in a grandchild is part of the cost."""
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])"
    assert measure.run([sys.executable, "-c", parent], tmp_path, log=tmp_path / "log").cpu > 0.3


def test_a_command_that_fails_is_told_by_its_last_line(tmp_path: Path) -> None:
    """The status and the last printed line are named."""
    with pytest.raises(measure.Failed, match=r"status 3: no such class$"):
        measure.run([sys.executable, "-c", "print('no such class'); exit(3)"], tmp_path, log=tmp_path / "log")


def test_a_table_replaces_what_lies_between_its_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prose around the marks and the other table stay as they are."""
    page = tmp_path / "performance.md"
    page.write_text(report.PAGE.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(report, "PAGE", page)
    report.put("sizes", "table one")
    once = page.read_text("utf-8")
    report.put("sizes", "table two")
    assert page.read_text("utf-8") == once.replace("table one", "table two")
    assert "-->\ntable two\n<!-- end of sizes" in page.read_text("utf-8")


def test_a_promise_holds_by_its_median() -> None:
    """One bad round of three does not break it."""
    assert report.Goal.at_least("grading : regrading", 50, [40, 60, 70]).holds
    assert not report.Goal.at_most("ours : floor", 1.4, [1.3, 1.5, 1.6]).holds
