"""A text at home: counted, sent back, compared with rubric and model text, and marked by its learner."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run

FILE = "p1_harbour.md"
CARD = "You will find me on the red boat at the third pier until Sunday.\n"


def write(course: Path, text: str) -> None:
    """Write below the line of the file in exercises/."""
    path = course / "exercises" / FILE
    path.write_text(path.read_text("utf-8") + text, "utf-8")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Nothing is written below the line yet."),
        (" ... --- \n\n", "Nothing is written below the line yet."),
        ("On the red boat.", "4 words, where 10 to 20 words are asked for. Say more, then check again."),
        ("boat " * 41, "41 words, where 10 to 20 words are asked for. Keep what carries the explanation"),
    ],
    ids=["untouched", "no word", "short", "long"],
)
def test_what_cannot_be_marked_yet(postcards: Path, headcount: Run, text: str, said: str) -> None:
    """It is sent back with the reason, without rubric, and no mark of one's own is taken."""
    write(postcards, text)
    for arguments in ([], ["--self", "3"]):
        run = headcount("check", "p1", *arguments, cwd=postcards)
        assert (run.returncode, said in run.stdout, "What earns" in run.stdout) == (1, True, False)
    assert "0 of 1 exercises solved" in headcount(cwd=postcards).stdout


def test_rubric_and_model_text_come_after_writing(postcards: Path, headcount: Run) -> None:
    """The file to write into shows neither; a check of a finished text shows both, and how to go on."""
    before = (postcards / "exercises" / FILE).read_text("utf-8")
    assert "Names the pier" not in before
    assert "10 to 20 words" in before
    write(postcards, CARD)
    run = headcount("check", "p1", cwd=postcards)
    assert run.returncode == 1
    for said in ("14 words, as asked.", "2 points, place", "Names the pier", "not: Come soon.", "behind the fish hall"):
        assert said in run.stdout
    assert "headcount check p1 --self POINTS" in run.stdout


def test_a_length_that_is_nearly_right(postcards: Path, headcount: Run) -> None:
    """It is said, and may be marked all the same."""
    write(postcards, "The red boat at the third pier.")
    assert "7 words, where 10 to 20 words are asked for.\n" in headcount("check", "p1", cwd=postcards).stdout
    assert headcount("check", "p1", "--self", "2", cwd=postcards).returncode == 0


def test_a_mark_of_ones_own(postcards: Path, headcount: Run) -> None:
    """It is noted as the learner's own, counts in the map, and may be changed."""
    write(postcards, CARD)
    run = headcount("check", "p1", "--self", "2", "--json", cwd=postcards)
    row = json.loads(run.stdout)
    assert (run.returncode, row["points"], row["max_points"], row["verdict"]) == (0, 2, 3, "MARKED")
    listed = headcount("list", cwd=postcards).stdout
    assert "1 of 1 exercises solved, 2 of 3 points" in listed
    assert "self-marked 2" in listed
    assert headcount("check", "p1", "--self", "3", cwd=postcards).returncode == 0
    assert "3 of 3 points" in headcount("list", cwd=postcards).stdout


def test_no_points_leave_it_open(postcards: Path, headcount: Run) -> None:
    """A text that its learner gives nothing is not done."""
    write(postcards, CARD)
    assert headcount("check", "p1", "--self", "0", cwd=postcards).returncode == 1
    assert "0 of 1 exercises solved" in headcount(cwd=postcards).stdout


@pytest.mark.parametrize("points", ["-1", "4", "nan", "inf"])
def test_points_that_there_are_not(postcards: Path, headcount: Run, points: str) -> None:
    """One line says how many there are."""
    write(postcards, CARD)
    run = headcount("check", "p1", "--self", points, cwd=postcards)
    assert (run.returncode, run.stderr.count("\n"), "0 to 3 points" in run.stderr) == (2, 1, True)


def test_code_is_not_marked_by_its_learner(kitchen: Path, headcount: Run) -> None:
    """The option is for texts."""
    run = headcount("check", "k1", "--self", "3", cwd=kitchen)
    assert (run.returncode, "is for texts" in run.stderr) == (2, True)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
@pytest.mark.parametrize(
    ("typed", "said"),
    [("no\n", "nothing was shown"), ("yes\n3\n1.5\n1\n", "you give yourself 2.5 of 3 points")],
    ids=["not finished", "finished"],
)
def test_in_a_terminal(postcards: Path, typed: str, said: str) -> None:
    """The learner says that they have finished, and then answers for each criterion within its points."""
    import pty

    write(postcards, CARD)
    ours, theirs = pty.openpty()
    os.write(ours, typed.encode())
    command = [sys.executable, "-m", "autograder", "check", "p1"]
    run = subprocess.run(command, cwd=postcards, stdin=theirs, capture_output=True, text=True, check=False, timeout=60)
    os.close(ours)
    os.close(theirs)
    assert said in run.stdout
    assert ("What earns the points" in run.stdout) == (run.returncode == 0)


def test_a_file_that_is_no_text(postcards: Path, headcount: Run) -> None:
    """Bytes of another encoding are told as such."""
    (postcards / "exercises" / FILE).write_bytes(b"caf\xe9 " * 12)
    run = headcount("check", "p1", cwd=postcards)
    assert (run.returncode, "not UTF-8" in run.stdout, "Traceback" in run.stderr) == (1, True, False)


def test_the_line_may_be_gone(postcards: Path, headcount: Run) -> None:
    """Then everything is the answer."""
    (postcards / "exercises" / FILE).write_text(CARD, "utf-8")
    assert "14 words, as asked." in headcount("check", postcards / "exercises" / FILE, cwd=postcards).stdout


def test_reveal_points_at_the_check(postcards: Path, headcount: Run) -> None:
    """The model text comes with the check, not before."""
    run = headcount("reveal", "p1", cwd=postcards)
    assert (run.returncode, "once yours is written" in run.stdout) == (1, True)


def test_an_untouched_text_is_no_try(postcards: Path, headcount: Run) -> None:
    """What nobody has begun is not counted against them; a text that is sent back is a try."""
    for text, tries in (("", 0), ("On the red boat.", 1)):
        write(postcards, text)
        headcount("check", "p1", cwd=postcards)
        assert json.loads(headcount("list", "--json", cwd=postcards).stdout)[0]["tries"] == tries
