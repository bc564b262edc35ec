"""Answers in notebooks whose cells were copied, split, renamed or deleted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from autograder.submissions.errors import Refusal
from autograder.submissions.repair import Answers, Wanted, answers

MASK = Wanted("a1_mask", "code", ("mask",), "def mask(T):\n    raise NotImplementedError\n")
QUIZ = Wanted("a2_quiz", "quiz", ("one", "two"), "a2 = dict(one='', two='')")
TEXT = Wanted("a3_text", "text", ("<!-- below -->",), "<!-- below -->\n")


def cell(source: Any, name: str = "", kind: str = "code") -> dict[str, Any]:
    """A cell, with nbgrader's name for it if it has one."""
    return {"cell_type": kind, "metadata": {"nbgrader": {"grade_id": name}} if name else {}, "source": source}


def read(*cells: Any) -> Answers:
    """What is found in a notebook of these cells."""
    return answers(json.dumps({"nbformat": 4, "cells": list(cells)}).encode(), [MASK, QUIZ, TEXT])


def found(wanted: Wanted, *cells: Any) -> tuple[str | None, str]:
    """The answer to one exercise, and what is said about it."""
    got = read(*cells)
    source = got.sources.get(wanted.exercise)
    return source.decode() if source is not None else None, "; ".join(got.notes.get(wanted.exercise, []))


def test_cells_as_they_were_handed_out() -> None:
    """Nothing is said where nothing was done."""
    got = read(
        cell("def mask(T): ...", "a1_mask"), cell("a2 = dict(one='1')", "a2_quiz"), cell("x", "a3_text", "markdown")
    )
    assert {name: source.decode() for name, source in got.sources.items()} == {
        "a1_mask": "def mask(T): ...", "a2_quiz": "a2 = dict(one='1')", "a3_text": "x",
    }  # fmt: skip
    assert got.notes == {}


@pytest.mark.parametrize(
    ("cells", "source", "says"),
    [
        # copies: what a kernel has after running them, without those that nobody touched or Python cannot read
        ([("def mask(T): 1", True), ("def mask(T): 2", True)], "def mask(T): 1\n\ndef mask(T): 2", "there 2 times"),
        ([("def mask(T): 1", True), (MASK.blank, True)], "def mask(T): 1", "there 2 times (cells 1, 2)"),
        ([(MASK.blank, True), (MASK.blank, True)], MASK.blank, "there 2 times"),
        ([("def mask(T) 1", True), ("def mask(T): 2", True)], "def mask(T): 2", "were put together"),
        # one cell cut in two: in both halves its name, or in the first only
        ([("def mask(T):", True), ("    return 1", True)], "def mask(T):\n\n    return 1", "were put together"),
        ([("import a", True), ("def mask(T): a", False)], "import a\n\ndef mask(T): a", "was split; cells 1, 2"),
        ([("import a", True), ("b", False), ("mask = a", False)], "import a\n\nb\n\nmask = a", "cells 1, 2, 3"),
        ([("import a", True), ("b = 1", False)], "import a", ""),
        # without its name
        ([("x = 1", False), ("def mask(T): 1", False), (MASK.blank, False)], "def mask(T): 1", "cell 2 was taken"),
        ([("%magic\nmask = lambda T: 1", False)], "# %magic\nmask = lambda T: 1", "left out: line 1"),
        ([("x = 'mask'", False)], None, "none looks like its answer"),
    ],
)  # fmt: skip
def test_code(cells: list[tuple[str, bool]], source: str | None, says: str) -> None:
    """What can only have meant one thing is mended, and told."""
    got, said = found(MASK, *(cell(text, "a1_mask" if named else "") for text, named in cells))
    assert got == source
    assert says in said
    assert bool(says) == bool(said)


def test_a_check_below_is_no_part_of_an_answer() -> None:
    """A cell with a name of its own ends what belongs together."""
    cells = (cell("import a", "a1_mask"), cell("mask = a", "a1_mask-check"))
    assert found(MASK, *cells)[0] == "import a"


def test_quizzes_and_texts_without_names() -> None:
    """They are known by their questions and by the line that a text starts with."""
    got, said = found(QUIZ, cell("a2 = dict(one='1', two='2')"))
    assert (got, "cell 1 was taken" in said) == ("a2 = dict(one='1', two='2')", True)
    got, said = found(TEXT, cell("# Title", kind="markdown"), cell("<!-- below -->\nHello.", kind="markdown"))
    assert (got, "cell 2 was taken" in said) == ("<!-- below -->\nHello.", True)


def test_of_copied_texts_the_last_that_was_written_counts() -> None:
    """An untouched copy below does not hide what somebody wrote."""
    cells = [cell(text, "a3_text", "markdown") for text in ("<!-- below -->\nOld.", "<!-- below -->\nNew.", TEXT.blank)]
    got, said = found(TEXT, *cells)
    assert got == "<!-- below -->\nNew."
    assert "the last that was changed counts" in said


def test_trouble_stays_with_its_exercise() -> None:
    """Too large, half a character, another type of cell: the others are read."""
    got = read(
        cell("x = '\ud800'", "a1_mask"), cell("a2 = dict(one='1')", "a2_quiz", "markdown"),
        cell("y" * 300_000, "a3_text", "markdown"), 7, {"source": [1]}, cell({"a": 1}, "a1_mask"),
    )  # fmt: skip
    assert set(got.sources) == {"a2_quiz"}
    assert "half a character" in "; ".join(got.notes["a1_mask"])
    assert "had become a cell of type markdown" in got.notes["a2_quiz"][0]
    assert "larger than 256 kB" in got.notes["a3_text"][0]


def test_the_format_before_2015() -> None:
    """Worksheets and inputs are read like cells and sources."""
    old = cell("", "a1_mask") | {"input": ["def mask(T):\n", "    1"]}
    del old["source"]
    data = json.dumps({"nbformat": 3, "worksheets": [{"cells": [old]}, 5]}).encode()
    assert answers(data, [MASK]).sources == {"a1_mask": b"def mask(T):\n    1"}


@pytest.mark.parametrize("data", [b"", b"<html>", b"[1]", b"{}", b'{"cells": {}}', b"\xff\xfe{", b"[" * 100_000])
def test_what_is_no_notebook_is_refused(data: bytes) -> None:
    """One sentence that says what to do."""
    with pytest.raises(Refusal, match=r"save it"):
        answers(data, [MASK])


def test_thousands_of_cells_cost_little() -> None:
    """A notebook made to keep the reader busy is read no further than anybody writes."""
    many = [cell(f"mask_{number} = {number}") for number in range(5000)]
    assert found(MASK, cell("import a", "a1_mask"), *many)[0] == "import a"
