"""`headcount verify --deep` on a small course, sound and weakened by hand in one place at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import KITCHEN, Run

K1, K2 = "k1_scale_recipe", "k2_heaviest"
PROBES = f"solutions/{K1}/probes.py"
WRONG = f"solutions/{K1}/misconceptions.py"
EXCUSES = f"solutions/{K1}/equivalent.yaml"
SAFE = '        check="amounts",\n        why="three amounts'
SPARE = """    yield Probe(
        name="spare",
        check="amounts",
        why="one amount more",
        inputs={"amounts": np.array([70.0, 4.0]), "written_for": 4, "guests": 10},
    )


def hidden("""
REFUSED = "needs: [amounts]}\n      kept"
REPEATED = 'inputs={"amounts": np.array([250.0, 2.0, 500.0]), "written_for": 4, "guests": 10}'
UNKNOWN = "  - was: return a\n    becomes: return b\n"
EXCUSE = "    why: a recipe has one axis, and transposing it changes nothing\n"


REPORT = """\
k1_scale_recipe: Cook for more people
  misconceptions  4 wrong answers of 4 names, 4 rejected, 4 named alone
  mutants         26 tried, 25 rejected, 1 equivalent
    line 16: a recipe has one axis, and transposing it changes nothing
        return amounts * guests / written_for
     -> return (amounts * guests / written_for).T
  probes          4 asked, 4 earn their place
  cheats          13 tried, none got more than it deserves; the shown answers by heart are worth 0 of 3 points

k2_heaviest: The heaviest bowl
  misconceptions  3 wrong answers of 3 names, 3 rejected, 3 named alone
  mutants         18 tried, 18 rejected, 0 equivalent
  probes          3 asked, 3 earn their place
  cheats          13 tried, none got more than it deserves; the shown answers by heart are worth 0 of 2 points

2 exercises are sound: 44 mutants, 43 rejected, 1 equivalent.
"""


def edit(path: Path, before: str, after: str) -> None:
    """Replace one piece of a file that has to be there."""
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")


def test_a_sound_course(headcount: Run) -> None:
    """The report tells for each exercise what was tried and what came of it, and excused mutants with their reason."""
    run = headcount("verify", "--deep", cwd=KITCHEN)
    assert (run.returncode, run.stderr) == (0, ""), run.stdout
    assert run.stdout == REPORT


@pytest.mark.parametrize(
    ("file", "before", "after", "place", "says"),
    [
        (PROBES, '"written_for": 1', '"written_for": 2', f"solutions/{K1}/solution.py:14: ", "<= 1:' gets full points"),
        (EXCUSES, "mutants:\n", f"mutants:\n{UNKNOWN}{EXCUSE}", f"{EXCUSES}:2: ", "is no mutant of this solution"),
        (EXCUSES, "guests / written_for).T", "guests)", f"{EXCUSES}:2: ", "is rejected by probe"),
        (EXCUSES, EXCUSE, "", f"{EXCUSES}:2:5: ", "an entry has 'was', 'becomes' (a text or a list) and 'why'"),
        (EXCUSES, "mutants:", "mutant:", f"{EXCUSES}:1:1: ", "the file holds one list, 'mutants'"),
        (PROBES, "def hidden(", SPARE, f"{PROBES}:", "probe 'spare' earns nothing"),
        (PROBES, SAFE, f'        safety="why not",\n{SAFE}', f"{PROBES}:", "it earns its place"),
        ("course.yaml", f"refused, {REFUSED}", "refused}\n      kept", f"{PROBES}: ", "an exception in the call"),
        (PROBES, 'inputs={"amounts": rng.uniform(1, 9, 5), "written_for": 3, "guests": 70}', REPEATED, f"{PROBES}: ",
         "check 'amounts' gives 1 point to a cheat: the shown answers by heart"),
        (WRONG, "return amounts * guests\n", "return _right(amounts, written_for, guests)\n", f"{WRONG}:15: ", "gets"),
    ],
    ids=[
        "weak probe", "excuse for nothing", "excuse for a rejected mutant", "excuse without a reason",
        "excuses misspelt", "useless probe", "needless mark", "refusal for everybody", "hidden like shown",
        "misconception made right",
    ],
)  # fmt: skip
def test_weakened_in_one_place(
    kitchen: Path, headcount: Run, file: str, before: str, after: str, place: str, says: str
) -> None:
    """A line that starts with the place says what is wrong, and the exit status is 1."""
    edit(kitchen / file, before, after)
    run = headcount("verify", "k1", "--deep", cwd=kitchen)
    assert run.returncode == 1, run.stdout + run.stderr
    assert [line for line in run.stdout.splitlines() if line.startswith(place) and says in line], run.stdout
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "equivalent.yaml: the file is empty; a list of excuses starts with 'mutants:'"),
        ("- was: a\n", "equivalent.yaml:1:1: 'mutants:' and other keys belong at the top, but there is a list"),
        ("mutants:\n  - was: for x in y:\n", "equivalent.yaml:2:20: this is not valid YAML"),
        ("mutants: [{was: a, becomes: [], why: b}]\n", "equivalent.yaml:1:11: an entry has"),
    ],
    ids=["empty", "a list", "a colon without quotes", "no change"],
)
def test_a_clumsy_list_of_excuses(kitchen: Path, headcount: Run, text: str, says: str) -> None:
    """The fault is told with its place, and nothing else is said about the mutants of this exercise."""
    (kitchen / EXCUSES).write_text(text)
    run = headcount("verify", "k1", "--deep", cwd=kitchen)
    assert (run.returncode, run.stderr) == (1, "")
    assert says in run.stdout
    assert run.stdout.endswith("1 to mend.\n")


def test_one_excuse_for_whatever_survives(kitchen: Path, headcount: Run) -> None:
    """A star excuses all surviving changes of a statement; where none survives it is as stale as any other."""
    edit(kitchen / EXCUSES, "becomes: return (amounts * guests / written_for).T", 'becomes: "*"')
    assert headcount("verify", "k1", "--deep", cwd=kitchen).returncode == 0
    edit(kitchen / EXCUSES, "was: return amounts * guests / written_for", "was: 'if written_for < 1:'")
    run = headcount("verify", "k1", "--deep", cwd=kitchen)
    assert f"{EXCUSES}:2: 'if written_for < 1:' -> '*' is rejected by probe" in run.stdout


def test_a_safety_probe_may_stay(kitchen: Path, headcount: Run) -> None:
    """A probe that catches nothing new is fine once it says why it stays, and the report lists it."""
    edit(kitchen / PROBES, "def hidden(", SPARE.replace("why=", 'safety="people like it",\n        why='))
    run = headcount("verify", K1, "--deep", cwd=kitchen)
    assert run.returncode == 0, run.stdout
    assert "5 asked, 4 earn their place, 1 for safety (spare)" in run.stdout


def test_a_mutant_that_never_ends_is_rejected(kitchen: Path, headcount: Run) -> None:
    """Dropping the step of a loop does not hang the command."""
    loop = """    best, bowl = 0, 0
    while bowl < bowls:
        if scale(bowl) > scale(best):
            best = bowl
        bowl += 1
    return best
"""
    edit(kitchen / f"solutions/{K2}/solution.py", "    return max(range(bowls), key=scale)\n", loop)
    run = headcount("verify", "k2", "--deep", cwd=kitchen, timeout=120)
    assert "Traceback" not in run.stderr
    assert "'bowl += 1' -> 'pass'" not in run.stdout
    assert "of 3 names" in run.stdout


def test_json(headcount: Run) -> None:
    """A program gets counts and excused mutants for each exercise."""
    run = headcount("verify", "k1", "--deep", "--json", cwd=KITCHEN)
    found = json.loads(run.stdout)
    assert (run.returncode, found["problems"], found["exercises"]) == (0, [], 1)
    (review,) = found["reviews"]
    assert (review["exercise"], review["mutants"], len(review["equivalent"])) == (K1, 26, 1)


def test_an_exercise_that_is_not_there(headcount: Run) -> None:
    """The nearest name is suggested."""
    run = headcount("verify", "--deep", "k1_scale_recip", cwd=KITCHEN)
    assert (run.returncode, run.stdout) == (2, "")
    assert f"Did you mean '{K1}'?" in run.stderr


def test_without_libcst() -> None:
    """What is missing, and how to get it, is one line."""
    program = (
        "import sys; sys.modules['libcst'] = None; sys.argv[1:] = ['verify', '--deep', 'k1'];"
        "from autograder.cli import main; main()"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=KITCHEN, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.splitlines() == ["verify --deep needs libcst, which is not installed here: pip install libcst"]


@pytest.mark.slow
@pytest.mark.parametrize("exercise", ["b3", "d1"])
def test_exercises_of_the_course(headcount: Run, exercise: str) -> None:
    """Two small exercises of the course hold: all of them together take too long for every run of the tests."""
    run = headcount("verify", exercise, "--deep")
    assert (run.returncode, run.stderr) == (0, ""), run.stdout
