"""What a learner types: `headcount`, `headcount list`, `headcount check`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from tests.learn.conftest import RIGHT, WRONG, answer


def test_where_you_are(kitchen: Path, headcount: Run) -> None:
    """The bare command says what is next, which file to open and what to type."""
    run = headcount(cwd=kitchen)
    assert "0 of 2 exercises solved" in run.stdout
    assert "exercises/k1_scale_recipe.py" in run.stdout
    assert "headcount check k1" in run.stdout


def test_from_a_folder_inside_the_course(kitchen: Path, headcount: Run) -> None:
    """The course is found from anywhere inside it."""
    assert headcount(cwd=kitchen / "exercises").returncode == 0


def test_solving_an_exercise_moves_on(kitchen: Path, headcount: Run) -> None:
    """After a right answer the next exercise is what `headcount` names and `headcount list` ticks."""
    answer(kitchen, RIGHT)
    run = headcount("check", cwd=kitchen)
    assert run.returncode == 0
    assert "The 3 shown checks passed; grading for a class asks more." in run.stdout
    assert "Next: headcount check k2" in run.stdout
    assert "k2_heaviest" in headcount(cwd=kitchen).stdout
    assert "✓ k1  Cook for more people" in headcount("list", cwd=kitchen).stdout


def test_a_solved_exercise_stays_solved(kitchen: Path, headcount: Run) -> None:
    """A later wrong try does not take a tick away."""
    answer(kitchen, RIGHT)
    headcount("check", "k1", cwd=kitchen)
    answer(kitchen, WRONG)
    assert headcount("check", "k1", cwd=kitchen).returncode == 1
    listed = json.loads(headcount("list", "--json", cwd=kitchen).stdout)
    assert (listed[0]["solved"], listed[0]["attempts"]) == (True, 2)


@pytest.mark.parametrize("target", ["k1", "k1_scale_recipe", "scale_recipe", "exercises/k1_scale_recipe.py"])
def test_ways_to_name_an_exercise(kitchen: Path, headcount: Run, target: str) -> None:
    """A number, an id, a name and a path all mean the same exercise."""
    answer(kitchen, WRONG)
    run = headcount("check", target, cwd=kitchen)
    assert run.returncode == 1
    assert "divide by written_for" in run.stdout


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("k7", "There is no exercise 'k7'"),
        ("k1_scale_recipes", "Did you mean 'k1_scale_recipe'?"),
        ("k1_scale_recip.py", "Did you mean 'k1_scale_recipe'?"),
        ("nowhere/k1_scale_recipe.py", "is not there; `headcount reset k1_scale_recipe` writes"),
    ],
)
def test_a_target_that_is_not_there(kitchen: Path, headcount: Run, target: str, says: str) -> None:
    """A wrong name gets one line on standard error, with the nearest right one."""
    run = headcount("check", target, cwd=kitchen)
    assert (run.returncode, run.stdout) == (2, "")
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_check_json(kitchen: Path, headcount: Run) -> None:
    """--json prints the whole result as one object."""
    answer(kitchen, WRONG)
    result = json.loads(headcount("check", "k1", "--json", cwd=kitchen).stdout)
    assert result["misconceptions"] == ["ratio-forgotten"]
    assert [check["id"] for check in result["checks"]] == ["amounts", "nobody", "kept"]


def test_the_map_says_what_leads_where(kitchen: Path, headcount: Run) -> None:
    """What is next, what comes after what, and what is left to do; in a terminal of any width."""
    told = headcount("list", cwd=kitchen).stdout
    assert told == (
        "Kitchen arithmetic: 0 of 2 exercises solved, 0 of 5 points.\n"
        "\n"
        "K. Kitchen\n"
        "  ▸ k1  Cook for more people  3 points    2 min  next; leads to k2\n"
        "  · k2  The heaviest bowl     2 points    5 min  after k1\n"
        "\n"
        "About 7 min to go. Nothing is locked: 'after' names what an exercise builds on.\n"
    )


def test_the_map_in_a_narrow_terminal(kitchen: Path, headcount: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words go below their title, and only then titles give way."""
    monkeypatch.setenv("COLUMNS", "62")
    told = headcount("list", cwd=kitchen).stdout
    assert "  ▸ k1  Cook for more people  3 points    2 min  next;\n        leads to k2\n" in told
    monkeypatch.setenv("COLUMNS", "58")
    narrow = headcount("list", cwd=kitchen).stdout
    assert "Cook for more pe…" in narrow
    assert max(map(len, told.splitlines())) <= 62
    assert max(map(len, narrow.splitlines()[2:])) <= 58


def test_the_map_in_sentences(kitchen: Path, headcount: Run) -> None:
    """--plain has neither columns nor signs."""
    answer(kitchen, RIGHT)
    headcount("check", "k1", cwd=kitchen)
    told = headcount("list", "--plain", cwd=kitchen).stdout
    assert "k1, Cook for more people: solved. 3 points, 2 minutes.\n" in told
    assert "k2, The heaviest bowl: next. 2 points, 5 minutes.\n" in told
    assert told.isascii()
    assert "  " not in told


def test_the_first_words(kitchen: Path, headcount: Run) -> None:
    """A newcomer is told what this is; somebody who has solved something is not told again."""
    assert "Exercises that grade themselves" in headcount(cwd=kitchen).stdout
    answer(kitchen, RIGHT)
    headcount("check", "k1", cwd=kitchen)
    told = headcount(cwd=kitchen).stdout
    assert "grade themselves" not in told
    assert "headcount hint k2" in told


def test_a_check_in_sentences(kitchen: Path, headcount: Run) -> None:
    """--plain says in words what the signs show."""
    answer(kitchen, "def scale_recipe(amounts, have, want):\n    print('hello')\n    return amounts * want / have\n")
    run = headcount("check", "k1", "--plain", cwd=kitchen)
    assert run.returncode == 1
    first, _, *checks = run.stdout.splitlines()
    assert first == "k1_scale_recipe, Cook for more people: 2 of 3 shown checks passed."
    assert checks[0] == "Passed, amounts: every amount grows with the number of persons"
    assert checks[1].startswith("Not passed, nobody")
    assert "Your file printed:\nhello\n" in run.stdout
    assert run.stdout.isascii()


def test_a_quiz_in_sentences(tmp_path: Path, headcount: Run) -> None:
    """The sheet of a quiz is spoken too."""
    course = Path(shutil.copytree(ROOT / "tests" / "courses" / "garden", tmp_path / "garden"))
    told = headcount("check", "g1", "--plain", cwd=course).stdout
    assert "Not passed, tool: is not answered yet." in told


def test_a_file_is_found_from_anywhere(kitchen: Path, tmp_path: Path, headcount: Run) -> None:
    """Where no course is above, that of the file is meant; a file that is not there is no way to one."""
    file = answer(kitchen, RIGHT)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert headcount("check", file, cwd=elsewhere).returncode == 0
    lost = headcount("check", elsewhere / "k1_scale_recipe.py", cwd=elsewhere)
    assert (lost.returncode, "There is no course.yaml" in lost.stderr) == (2, True)
