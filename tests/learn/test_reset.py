"""Starting an exercise again."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.conftest import ROOT, Run
from tests.learn.conftest import RIGHT, STUB, WRONG, answer


def test_the_stub_comes_back_and_the_attempts_stay(kitchen: Path, headcount: Run) -> None:
    """Each attempt is kept under a number of its own, which is said; an untouched stub stays as it is."""
    stub = (kitchen / STUB).read_text()
    for number, text in enumerate((WRONG, RIGHT), start=1):
        answer(kitchen, text)
        run = headcount("reset", "k1", cwd=kitchen)
        assert run.stdout == f"{STUB} is new again. Your attempt is kept as {STUB}.{number}.\n"
        assert (kitchen / STUB).read_text() == stub
        assert (kitchen / f"{STUB}.{number}").read_text() == text
    assert "is as it was at the beginning" in headcount("reset", "k1", cwd=kitchen).stdout
    assert not (kitchen / f"{STUB}.3").exists()


def test_a_deleted_stub_comes_back(kitchen: Path, headcount: Run) -> None:
    """Where there is no attempt there is none to keep."""
    stub = (kitchen / STUB).read_text()
    (kitchen / STUB).unlink()
    assert headcount("reset", "k1", cwd=kitchen).stdout == f"{STUB} is new again.\n"
    assert (kitchen / STUB).read_text() == stub


def test_solved_stays_solved(kitchen: Path, headcount: Run) -> None:
    """Doing it once more takes nothing away."""
    answer(kitchen, RIGHT)
    headcount("check", "k1", cwd=kitchen)
    headcount("reset", "k1", cwd=kitchen)
    assert "1 of 2 exercises solved" in headcount(cwd=kitchen).stdout


def test_without_solutions_the_attempt_is_left_alone(kitchen: Path, headcount: Run) -> None:
    """A handout cannot make the stub; one line says where to take it from."""
    shutil.rmtree(kitchen / "solutions")
    answer(kitchen, WRONG)
    run = headcount("reset", "k1", cwd=kitchen)
    assert (run.returncode, run.stdout) == (2, "")
    assert "copy it from where your course came from" in run.stderr
    assert (kitchen / STUB).read_text() == WRONG


def test_a_quiz_starts_again_too(tmp_path: Path, headcount: Run) -> None:
    """Its sheet comes back without answers, and the filled one stays beside it."""
    course = Path(shutil.copytree(ROOT / "tests" / "courses" / "garden", tmp_path / "garden"))
    sheet = course / "exercises" / "g1_beds.yaml"
    untouched = sheet.read_text()
    sheet.write_text(untouched + "# a thought\n")
    run = headcount("reset", "g1", cwd=course)
    assert "Your attempt is kept as exercises/g1_beds.yaml.1." in run.stdout
    assert sheet.read_text() == untouched
