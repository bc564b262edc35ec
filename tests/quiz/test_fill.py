"""One answer goes onto a sheet, and everything else stays as its learner wrote it."""

from __future__ import annotations

import pytest

from autograder.quiz.draw import DEFAULT, Quiz
from autograder.quiz.fill import fill, typed
from autograder.quiz.nodes import UnreadableSheet
from autograder.quiz.read import read_sheet
from autograder.quiz.sheet import sheet


def answers(text: str) -> dict[str, str]:
    """What a sheet says."""
    return typed(read_sheet(text, "g1_beds"))


def test_one_line_changes(quiz: Quiz) -> None:
    """Notes, order and line ends of a sheet stay."""
    before = sheet(quiz, DEFAULT).replace("  tool:", "  # not sure about this one\n  tool:").replace("\n", "\r\n")
    after = fill(quiz, before, "tool", "b")
    changed = [pair for pair in zip(before.splitlines(), after.splitlines(), strict=True) if pair[0] != pair[1]]
    assert changed == [("    answer:", '    answer: "b"')]
    assert after.count("\r\n") == before.count("\r\n")


def test_an_answer_is_replaced(quiz: Quiz) -> None:
    """The last one typed counts, and the others stay."""
    text = fill(quiz, fill(quiz, sheet(quiz, DEFAULT, {"area": "12"}), "tool", "a"), "tool", "b")
    assert answers(text) == {"area": "12", "tool": "b"}


@pytest.mark.parametrize("answer", ["# b", "a: b", "'", '"', "- x", "[1, 2", "*a", "&a", "ü ∑", "\\d{1}", "yes", "0x1"])
def test_whatever_is_typed_is_kept_as_text(quiz: Quiz, answer: str) -> None:
    """No answer turns into YAML."""
    text = fill(quiz, sheet(quiz, DEFAULT, {"tool": "b"}), "rows", answer)
    assert answers(text) == {"tool": "b", "rows": answer}


@pytest.mark.parametrize(
    "written", ["answer:\n      - 1\n      - 2", "answer: >\n      1,\n      2", "answer: [1,\n      2]"]
)
def test_a_value_over_several_lines_is_written_anew(quiz: Quiz, written: str) -> None:
    """Where changing a line is not enough, the sheet is made again, with all answers."""
    before = sheet(quiz, "ada", {"rows": "HERE", "tool": "b"}).replace('answer: "HERE"', written)
    after = fill(quiz, before, "rows", "3, 4")
    assert answers(after) == {"tool": "b", "rows": "3, 4"}
    assert 'learner: "ada"' in after


def test_a_question_that_was_deleted_comes_back(quiz: Quiz) -> None:
    """Its answer has a place again."""
    before = "exercise: g1_beds\nquestions:\n  tool:\n    answer: b\n"
    assert answers(fill(quiz, before, "rows", "3, 4")) == {"tool": "b", "rows": "3, 4"}


def test_what_is_no_sheet_is_left_alone(quiz: Quiz) -> None:
    """Nothing is put in the place of something else."""
    with pytest.raises(UnreadableSheet):
        fill(quiz, "a list of things to buy", "tool", "b")
