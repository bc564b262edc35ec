"""What `headcount verify` finds in a quiz that was broken by hand in one place."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course.load import load_course
from autograder.quiz.chosen import OneOf, SomeOf
from autograder.quiz.draw import DEFAULT, load_quiz
from autograder.quiz.written import Number
from tests.conftest import ROOT, Run

QUIZ = "solutions/g1_beds/quiz.py"


def test_sound(garden: Path, headcount: Run) -> None:
    """Nothing is said."""
    run = headcount("verify", cwd=garden)
    assert (run.returncode, run.stdout) == (0, "1 exercise is sound.\n")


@pytest.mark.parametrize(
    ("file", "before", "after", "says"),
    [
        (QUIZ, "A spade turns it.", "", "tool 'a spade' has no explanation."),
        (QUIZ, '"A spade turns it.", right=True', '"A spade turns it."', "tool has 0 right choices"),
        (QUIZ, "def tool():", "def tools():", "has no function tool() for check 'tool'"),
        (QUIZ, "def tool():", "def tools():", "tools() is no check of the exercise"),
        (QUIZ, "def area(rng):", "def area(random):", "area() must take nothing, or rng"),
        (QUIZ, "return OneOf(", "return str(", "tool() "),
        (QUIZ, "rng.integers(3, 20, 2)", "rng.integers(3, 6, 2)", "area takes rng and has"),
        (QUIZ, "length + width,", "length * width,", "cannot be told from the right answer"),
        (QUIZ, "length + width,", "max(length, width),", "cannot be told from"),
        (QUIZ, '"area-sides-added"', '"area-side-added"', "Did you mean 'area-sides-added'?"),
        (QUIZ, '"area-sides-added"', '"area-is-length"', "lists 'area-sides-added', which no exercise uses."),
        (QUIZ, "rng.integers(2, 9)", "__import__('random').randrange(2, 900)", "take all chance from rng"),
        (QUIZ, 'says="Length times width."', "says=1 / 0", "area() raised ZeroDivisionError"),
        (QUIZ, "import Choice", "import Chioce", "quiz.py:3: the file raised ImportError"),
        (QUIZ, "def tool():", "def tool(:", "quiz.py:6: is not valid Python"),
        ("exercises/g1_beds.yaml", "a hose", "a rake", "differs from what solutions/g1_beds/quiz.py gives."),
        ("course.yaml", "tool: {points: 1,", "tool: {points: 2,", "has 6 points, but its checks add up to 7"),
        ("course.yaml", "      - An area has two sides.\n", "", "exactly three are needed"),
    ],
)
def test_broken_in_one_place(garden: Path, headcount: Run, file: str, before: str, after: str, says: str) -> None:
    """Verify fails and one line names the place."""
    path = garden / file
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")
    run = headcount("verify", cwd=garden)
    assert run.returncode != 0
    lines = (run.stdout + run.stderr).splitlines()
    assert [line for line in lines if says in line], lines
    assert not any("Traceback" in line for line in lines)


def test_sheets_hold_no_answer() -> None:
    """No explanation and no longer number that is right stands on any sheet of the course."""
    course = load_course(ROOT)
    quizzes = [exercise for exercise in course.exercises if exercise.kind == "quiz"]
    assert quizzes
    for exercise in quizzes:
        text = " ".join(course.stub_path(exercise).read_text("utf-8").split())
        for name, question in load_quiz(course, exercise).draw(DEFAULT).items():
            told = [choice.says for choice in question.choices] if isinstance(question, (OneOf, SomeOf)) else []
            assert [says for says in told if " ".join(says.split()) in text] == [], name
            if isinstance(question, Number) and len(question.model) > 3:
                assert question.model not in text, name
