"""Sheets from strangers: what is read, what is refused, and that nothing can grow."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.quiz.nodes import UnreadableSheet
from autograder.quiz.read import WHOSE, read_sheet


def answer(written: str) -> str:
    """What is read for one answer written in YAML."""
    seen = read_sheet(f"questions:\n  q:\n    answer: {written}\n", "g1_beds")
    return str(seen.probes["q"].parts["answer"])


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("768", "768"), ('"768"', "768"), ("768.0", "768.0"), ("2,359,296", "2,359,296"), ("2^10", "2^10"),
        ("2**10", "2**10"), ("(2, 12, 5, 64)", "(2, 12, 5, 64)"), ("[2, 12, 5, 64]", "[2, 12, 5, 64]"),
        ("[[0, 1], [4, 5]]", "[[0, 1], [4, 5]]"), ("36 MiB", "36 MiB"), ("a, c", "a, c"), ("{a, c}", "[a, c]"),
        ("", ""), ("~", "~"), ("no", "no"), ("010", "010"), ("1_000", "1_000"), ("2026-01-01", "2026-01-01"),
        ("\n      - 1\n      - 2", "[1, 2]"), ("|\n      b\n", "b"), ("  b   # I think", "b"), ("'b'", "b"),
    ],
)  # fmt: skip
def test_answers_are_text(written: str, text: str) -> None:
    """Whatever YAML would make of it, what was typed is kept."""
    assert answer(written) == text


def test_the_line_is_kept() -> None:
    """A message can point at the answer."""
    seen = read_sheet("exercise: g1_beds\nlearner: ada\nquestions:\n  q:\n    ask: x\n    answer: 5\n", "g1_beds")
    assert seen.probes["q"].parts["line"] == 6
    assert seen.probes[WHOSE].parts["learner"] == "ada"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"), ("# nothing\n", "is empty"), ("- 1\n", "no sheet"), ("just text", "no sheet"),
        ("exercise: g1_beds\n", "no `questions:`"), ("questions: [1, 2]\n", "no `questions:`"),
        ("exercise: k1_soup\nquestions: {}\n", "sheet of 'k1_soup'"), ("questions: {}\nquestions: {}\n", "there twice"),
        ("a: &x [1]\nb: *x\n", "needs quotes"), ("a: !!python/object/apply:os.system [ls]\n", "needs quotes"),
        ("questions:\n  q:\n    answer: *5\n", "quotes"), ("questions:\n  q:\n    answer: %5\n", "needs quotes"),
        ("questions:\n  q:\n    ask: x\n    answer:5\n", "a space belongs"), ("questions: {\n", "bracket"),
        ("a: 'x\n", "quotation mark"), ("questions: {}\n---\nquestions: {}\n", "more than one sheet"),
        ("[" * 3000, "nested too deeply"), ("a: " * 5, "not valid YAML"), ("- " * 3000, "nested too deeply"),
        ("a: [" + "1," * 9000 + "1]\n", "far too much"), ("x" * 70_000, "larger than"), ("a: \x07\n", "no text file"),
    ],
)  # fmt: skip
def test_what_is_no_sheet(text: str, says: str) -> None:
    """One line says what is wrong; nothing of the file is used."""
    with pytest.raises(UnreadableSheet) as problem:
        read_sheet(text, "g1_beds")
    assert says in str(problem.value)
    assert "\n" not in str(problem.value)


def test_aliases_cannot_multiply() -> None:
    """Ten lines that would stand for a billion are refused at the first."""
    lines = ["a0: &a0 [x]"] + [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    with pytest.raises(UnreadableSheet, match=r"^1: "):
        read_sheet("\n".join(lines), "g1_beds")


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("answer: 1\n    answer: 2", "more than once"), ("ask: x", "is missing"), ("answer: {a: 1}", "a mapping"),
        ("answer: " + "9" * 500, "far too many"), ("- 1", "is missing"),
    ],
)  # fmt: skip
def test_damage_costs_one_question(question: str, says: str) -> None:
    """The others on the sheet are read as usual."""
    seen = read_sheet(f"questions:\n  q:\n    {question}\n  r:\n    answer: 1\n", "g1_beds")
    assert seen.probes["q"].outcome == "not_plain"
    assert says in seen.probes["q"].detail
    assert seen.probes["r"].parts["answer"] == "1"


def test_a_question_that_is_there_twice() -> None:
    """Neither counts: nobody knows which was meant."""
    seen = read_sheet("questions:\n  q:\n    answer: 1\n  q:\n    answer: 2\n", "g1_beds")
    assert "there twice" in seen.probes["q"].detail


def test_a_question_without_a_name_is_nobodys() -> None:
    """It cannot pass for the line that says whose sheet it is."""
    seen = read_sheet('learner: ada\nquestions:\n  "":\n    answer: 1\n  ? [x]\n  : {answer: 1}\n', "g1_beds")
    assert seen.probes[WHOSE].parts["learner"] == "ada"
    assert set(seen.probes) == {WHOSE}


@given(st.text(alphabet=st.sampled_from("ab:-[]{}&*!|>'\"%@`#?, \n\t0\\"), max_size=120))
def test_no_text_brings_the_reader_down(text: str) -> None:
    """A sheet is read or refused."""
    for whole in (text, f"questions:\n  q:\n    answer: {text}\n"):
        with suppress(UnreadableSheet):
            read_sheet(whole, "g1_beds")
