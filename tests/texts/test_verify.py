"""What an author of a text is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT, Run

RUBRIC, MODEL, QUESTION = (f"solutions/p1_harbour/{name}" for name in ("rubric.yaml", "model.md", "question.md"))


def test_the_course_is_sound(headcount: Run) -> None:
    """The course as it is has nothing to mend."""
    run = headcount("verify", cwd=ROOT / "tests" / "courses" / "postcards")
    assert (run.returncode, run.stdout) == (0, "1 exercise is sound.\n")


@pytest.mark.parametrize(
    ("file", "before", "after", "said"),
    [
        (MODEL, "at the third pier, behind the fish hall, until Sunday ", "", "has 7 words, where 10 to 20"),
        (RUBRIC, "  time:", "  tyme:", "criterion 'tyme' is no check of p1_harbour in course.yaml. Did you mean"),
        (RUBRIC, "  time:", "  tyme:", "there is no criterion 'time'"),
        (RUBRIC, '    misses: ["Come soon."]\n', "", "criterion 'time' has two keys: 'earns' and 'misses'"),
        (RUBRIC, '["Come soon."]', "[]", "'misses' must be a list of texts"),
        (RUBRIC, "Names a day.", "7", "'earns' must be text"),
        (RUBRIC, "criteria:", "criteria: [", "not valid YAML"),
        (QUESTION, "You are", "We are", "p1_harbour.md:3: differs from what solutions/p1_harbour/question.md"),
        ("course.yaml", "time: {points: 1", "time: {points: 2", "has 3 points, but its checks add up to 4"),
        ("course.yaml", "[10, 20]", "[20, 10]", "'words' cannot be [20, 10]"),
        ("course.yaml", "[10, 20]", "[10]", "'words' must be two numbers"),
        ("course.yaml", "[10, 20]", "[10, many]", "must be a whole number"),
        ("course.yaml", "    words: [10, 20]\n", "", "needs 'words', as every text exercise does"),
        ("course.yaml", "    words:", "    defines: [f]\n    words:", "is a text, which has no 'defines'"),
        ("course.yaml", "time: {points: 1,", "time: {points: 1, needs: [place],", "criterion 'time' of exercise"),
    ],
)  # fmt: skip
def test_what_does_not_agree(postcards: Path, headcount: Run, file: str, before: str, after: str, said: str) -> None:
    """Each problem is one line with its place, and no traceback."""
    path = postcards / file
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")
    run = headcount("verify", cwd=postcards)
    assert run.returncode in (1, 2)
    assert said in run.stdout + run.stderr
    assert "Traceback" not in run.stderr


def test_a_missing_file(postcards: Path, headcount: Run) -> None:
    """It is named, by grading too."""
    (postcards / MODEL).unlink()
    assert f"{MODEL}: there is no such file" in headcount("verify", cwd=postcards).stdout


def test_fix_writes_the_file(postcards: Path, headcount: Run) -> None:
    """What the learner writes into is generated from the question."""
    path = postcards / "exercises" / "p1_harbour.md"
    before = path.read_bytes()
    path.unlink()
    assert "is missing" in headcount("verify", cwd=postcards).stdout
    assert headcount("verify", "--fix", cwd=postcards).returncode == 0
    assert path.read_bytes() == before
