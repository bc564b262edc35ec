"""`headcount verify` on a small course, sound and broken by hand in one place at a time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run

K1 = "k1_scale_recipe"


def edit(path: Path, before: str, after: str) -> None:
    """Replace one piece of a file that has to be there."""
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")


def test_a_sound_course(kitchen: Path, headcount: Run) -> None:
    """Nothing is said but how many exercises are sound."""
    run = headcount("verify", cwd=kitchen)
    assert (run.returncode, run.stdout) == (0, "2 exercises are sound.\n")


@pytest.mark.parametrize(
    ("file", "before", "after", "place", "says"),
    [
        (f"exercises/{K1}.py", "is not written yet", "is left to you", f"exercises/{K1}.py:13:", "differs from what"),
        ("course.yaml", "      - How much flour does one person get?\n", "", "course.yaml:", "three"),
        (
            f"solutions/{K1}/misconceptions.py",
            "return amounts * guests\n",
            "return _right(amounts, written_for, guests)\n",
            f"solutions/{K1}/misconceptions.py:15:",
            "'ratio-forgotten' gets full points",
        ),
        (
            f"solutions/{K1}/solution.py",
            "return amounts * guests / written_for",
            "return amounts * guests",
            f"solutions/{K1}/styles/list_comprehension.py:",
            "does not get full points",
        ),
        (
            f"solutions/{K1}/solution.py",
            "return amounts * guests / written_for",
            "return amounts * guests",
            f"solutions/{K1}/solution.py:4:",
            "the lesson says [300.0, 4.5]",
        ),
        ("course.yaml", "    points: 3", "    points: 4", "course.yaml:", "points"),
        ("course.yaml", f"needs: [{K1}]", "needs: [k1_scale_recip]", "course.yaml:", f"Did you mean '{K1}'?"),
        ("course.yaml", "needs: []", "needs: [k2_heaviest]", "course.yaml:", "k2_heaviest"),
        (
            f"solutions/{K1}/misconceptions.py",
            "return _right(amounts, guests, written_for)",
            "return amounts * guests",
            f"solutions/{K1}/misconceptions.py:9:",
            "cannot be told from ratio-forgotten",
        ),
        (
            f"solutions/{K1}/solution.py",
            'raise ValueError("a recipe for nobody cannot be scaled")',
            "return amounts",
            f"solutions/{K1}/styles/list_comprehension.py:",
            "does not get full points",
        ),
        (f"solutions/{K1}/probes.py", 'check="nobody"', 'check="nobdy"', f"solutions/{K1}/probes.py", "nobdy"),
        (f"solutions/{K1}/solution.py", "return amounts", "return amount", f"solutions/{K1}/solution.py", "NameError"),
        (f"solutions/{K1}/solution.py", "    ### END SOLUTION", "", f"solutions/{K1}/solution.py:13:", "never ends"),
        (
            f"solutions/{K1}/probes.py", "rng.uniform(1, 9, 5)", "np.random.default_rng().uniform(1, 9, 5)",
            f"solutions/{K1}/probes.py:", "gives other probes each time",
        ),
        (
            "solutions/k2_heaviest/driver.py", "def drive(", "def driven(", "solutions/k2_heaviest/driver.py:",
            "has no function drive(learner, inputs, ask)",
        ),
        (
            "solutions/k2_heaviest/driver.py", "def drive(", "def drive((", "solutions/k2_heaviest/driver.py:",
            "is not valid Python",
        ),
        ("course.yaml", "k2_heaviest", "k2_lightest", "solutions/k2_lightest:", "there is no such folder"),
    ],
    ids=[
        "stub edited", "hint removed", "misconception made right", "solution made wrong", "example made wrong",
        "points sum off", "id misspelt in needs", "needs in a circle", "two slugs alike", "refusal lost",
        "unknown check", "solution crashes", "mark removed", "probes by chance", "driver of another name",
        "driver not Python", "folder missing",
    ],
)  # fmt: skip
def test_broken_in_one_place(
    kitchen: Path, headcount: Run, file: str, before: str, after: str, place: str, says: str
) -> None:
    """Verify fails, with one line that starts with the place and says what is wrong."""
    edit(kitchen / file, before, after)
    run = headcount("verify", cwd=kitchen)
    assert run.returncode != 0
    lines = (run.stdout + run.stderr).splitlines()
    assert [line for line in lines if line.startswith(place) and says in line], lines
    assert not any("Traceback" in line for line in lines)


def test_unlisted_files(kitchen: Path, headcount: Run) -> None:
    """What course.yaml does not list is named."""
    (kitchen / "exercises" / "k9_soup.py").write_text("")
    (kitchen / "solutions" / "k9_soup").mkdir()
    run = headcount("verify", cwd=kitchen)
    assert "exercises/k9_soup.py: is not in course.yaml." in run.stdout
    assert "solutions/k9_soup: is not in course.yaml." in run.stdout


def test_fix_writes_the_stubs(kitchen: Path, headcount: Run) -> None:
    """--fix cuts missing and edited stubs anew, and then nothing is left to mend."""
    path = kitchen / "exercises" / f"{K1}.py"
    before = path.read_text()
    path.write_text("mine")
    (kitchen / "exercises" / "k2_heaviest.py").unlink()
    run = headcount("verify", "--fix", cwd=kitchen)
    assert run.returncode == 0
    assert path.read_text() == before


def test_json(kitchen: Path, headcount: Run) -> None:
    """A program gets the problems as a list."""
    (kitchen / "exercises" / "k2_heaviest.py").unlink()
    run = headcount("verify", "--json", cwd=kitchen)
    assert (run.returncode, len(json.loads(run.stdout)["problems"])) == (1, 1)
