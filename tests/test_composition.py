"""What goes wrong in a step is named in the exercise that contains it, and two things at once are named as two."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from autograder.course.content import misconceptions
from autograder.course.errors import ContentError
from autograder.course.load import load_course
from tests.conftest import ROOT, Run

BILL = "def bill(amounts, loaves, prices):\n    {}\n"


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course whose second exercise contains the first."""
    return Path(shutil.copytree(ROOT / "tests" / "courses" / "bakery", tmp_path_factory.mktemp("course") / "bakery"))


def named(bakery: Path, headcount: Run, line: str) -> tuple[list[str], str]:
    """The slugs and the message that a bill with this last line gets at home."""
    (bakery / "exercises" / "b2_bill.py").write_text(BILL.format(line))
    run = headcount("check", "b2_bill", "--json", cwd=bakery)
    result = json.loads(run.stdout)
    return result["misconceptions"], result["message"]


def test_the_course_is_sound(bakery: Path, headcount: Run) -> None:
    """Composed wrong answers are verified like those written by hand."""
    run = headcount("verify", cwd=ROOT / "tests" / "courses" / "bakery")
    assert (run.returncode, run.stdout) == (0, "2 exercises are sound.\n")


def test_a_step_s_misconception_is_named_in_the_whole(bakery: Path, headcount: Run) -> None:
    """It is written with the first exercise only."""
    slugs, message = named(bakery, headcount, "return (amounts + loaves) * prices * 1.08")
    assert slugs == ["loaves-added"]
    assert message.endswith("More loaves mean a multiple of everything, not one gram more for each.")


@pytest.mark.parametrize(
    ("line", "pair"),
    [
        ("return prices * (loaves + amounts) * 0.9", {"loaves-added", "tax-forgotten"}),
        ("return 0.9 * sum([amounts, loaves]) * prices", {"loaves-added", "tax-forgotten"}),
        ("return amounts * 0.9 * 1.44 * prices[0] * loaves", {"first-price-only", "tax-twice"}),
        ("cost = 1.2 * 1.2 * amounts * prices; return cost * loaves", {"discount-forgotten", "tax-twice"}),
    ],
)
def test_two_things_at_once_are_named_as_two(bakery: Path, headcount: Run, line: str, pair: set[str]) -> None:
    """However the code is written and in whatever order the two happen."""
    slugs, message = named(bakery, headcount, line)
    assert set(slugs) == pair
    assert "Two things at once: " in message


def test_a_single_explanation_wins(bakery: Path, headcount: Run) -> None:
    """Forgetting both rates has a name of its own."""
    slugs, message = named(bakery, headcount, "return amounts * loaves * prices")
    assert slugs == ["rates-forgotten"]
    assert "Two things" not in message


@pytest.mark.parametrize(
    "line",
    [
        "return amounts * loaves / prices * 0.9",  # of one of the two it is said that it comes alone
        "return (amounts + loaves) * prices[0] * 0.9",  # three at once
        "return amounts * loaves * prices * 7",
    ],
)
def test_what_no_two_explain_is_not_named(bakery: Path, headcount: Run, line: str) -> None:
    """No name is better than a wrong one."""
    assert named(bakery, headcount, line)[0] == []


def test_what_cannot_be_in_the_whole_is_left_out(bakery: Path) -> None:
    """An assembled answer says which slugs of its steps mean nothing in it."""
    course = load_course(bakery)
    found = {wrong.slug: wrong.home for wrong in misconceptions(course, course.exercise("b2_bill"))}
    assert "changes-flour" not in found
    assert found["loaves-added"] == "b1_dough"
    assert found["tax-twice"] == "b2_bill"


@pytest.mark.parametrize(
    ("exercise", "before", "after", "problem"),
    [
        ("b2_bill", "def taxed(cost):\n    \"\"\"The tax is missing", "def taxd(cost):\n    \"\"\"The tax is missing",
         "misconceptions.py:44: 'tax-forgotten' stands in for 'taxd', which b2_bill does not define. "
         "Did you mean 'taxed'?"),
        ("b1_dough", "from autograder", "from b2_bill import bill\n\nfrom autograder",
         "takes steps from b2_bill, which takes steps from here"),
        ("b1_dough", "@misconception(\"loaves-added\")",
         "def taxed(x):\n    return x\n\n\n@misconception(\"loaves-added\")",
         "b1_dough and b2_bill mean different things by 'taxed'; give one of them another name"),
        ("b1_dough", "@misconception(\"loaves-added\")", "@misconception(\"loaves-addd\")",
         "b1_dough/misconceptions.py:7: no family in course.yaml lists 'loaves-addd'. Did you mean 'loaves-added'?"),
        ("b2_bill", "@assembled(without=(\"changes-flour\",))", "@assembled(without=\"changes-flour\")",
         "misconceptions.py:9: bill: write the mark as @assembled or @assembled(without=(\"slug\",))"),
    ],
)  # fmt: skip
def test_what_breaks_composition(tmp_path: Path, exercise: str, before: str, after: str, problem: str) -> None:
    """Each breach is one line that says where and what."""
    shutil.copytree(ROOT / "tests" / "courses" / "bakery", tmp_path / "bakery")
    file = tmp_path / "bakery" / "solutions" / exercise / "misconceptions.py"
    assert before in file.read_text()
    file.write_text(file.read_text().replace(before, after))
    course = load_course(tmp_path / "bakery")
    with pytest.raises(ContentError) as caught:
        misconceptions(course, course.exercise("b2_bill"))
    assert problem in " ".join(caught.value.problems)


def test_an_assembled_answer_has_to_be_right(tmp_path: Path, headcount: Run) -> None:
    """Otherwise every composed wrong answer would be wrong in another way."""
    shutil.copytree(ROOT / "tests" / "courses" / "bakery", tmp_path / "bakery")
    file = tmp_path / "bakery" / "solutions" / "b2_bill" / "misconceptions.py"
    file.write_text(file.read_text().replace("return cost * 1.2\n", "return cost * 1.3\n"))
    run = headcount("verify", cwd=tmp_path / "bakery")
    assert run.returncode == 1
    assert "misconceptions.py: the @assembled answer is not right" in run.stdout + run.stderr
