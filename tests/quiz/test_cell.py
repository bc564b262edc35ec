"""The cell of a notebook that a quiz is answered in."""

from __future__ import annotations

import pytest

from autograder.quiz.cell import answers_cell, read_cell
from autograder.quiz.draw import DEFAULT, Quiz
from autograder.quiz.mark import mark
from autograder.quiz.nodes import UnreadableSheet
from autograder.quiz.read import read_sheet


def typed(source: str) -> dict[str, object]:
    """The answers in a cell, by question."""
    seen = read_sheet(source, "g1_beds").probes
    return {name: each.parts.get("answer", each.detail) for name, each in seen.items() if name}


def test_an_untouched_cell_has_no_answers(quiz: Quiz) -> None:
    """Every question is there, and none is answered."""
    assert typed(answers_cell(quiz)) == dict.fromkeys(quiz.functions, "")


def test_right_answers_in_a_cell_get_all_points(quiz: Quiz, course: object) -> None:
    """A cell is marked like a sheet."""
    cell = answers_cell(quiz)
    for name, question in quiz.draw(DEFAULT).items():
        cell = cell.replace(f'{name}=""', f"{name}={question.model!r}")
    result = mark(course, quiz, read_sheet(cell, "g1_beds"), DEFAULT, "cell")  # type: ignore[arg-type]
    assert (result.verdict, result.points) == ("OK", 6)


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        ("'12'", "12"), ("12*64", "12*64"), ("2_000", "2_000"), ("[1,\n 2]", "[1, 2]"), ("(B, T)", "(B, T)"),
        ("None", "None"), ("''", ""), ("__import__('os').system('x')", "__import__('os').system('x')"),
        ("'ä' 'b'", "äb"),
    ],
)  # fmt: skip
def test_what_was_typed_is_read_and_never_run(written: str, answer: str) -> None:
    """With quotes or without, over several lines, and whatever it would do."""
    assert typed(f"b = dict(area={written})") == {"area": answer}
    assert typed(f"b = {{'area': {written}}}") == {"area": answer}


def test_the_line_of_an_answer_is_told() -> None:
    """Messages name the line of the cell."""
    assert read_sheet("# head\nb = dict(\n  area='x',\n)", "g1_beds").probes["area"].parts["line"] == 3


@pytest.mark.parametrize("source", ["x = 1", "def f(: pass", "exercise: g1_beds\nquestions:\n", "b = dict([1])", ""])
def test_other_texts_are_no_cell(source: str) -> None:
    """A sheet is still read as a sheet."""
    assert read_cell(source) is None


def test_the_last_answers_count_and_twice_is_said() -> None:
    """Assigned twice, the second counts; a key that is there twice is nobody's answer."""
    assert typed("b = dict(area='1')\nb = dict(area='2')") == {"area": "2"}
    assert "is there twice" in str(typed("b = {'area': '1', 'area': '2'}")["area"])


def test_far_too_much_is_refused() -> None:
    """A cell has the limits of a sheet."""
    with pytest.raises(UnreadableSheet, match="larger than 64 kB"):
        read_sheet(f"b = dict(area='{'x' * 70_000}')", "g1_beds")
