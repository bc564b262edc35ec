"""Notebooks: exercise cells by grade_id, everything else ignored or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from autograder.records import Upload

Uploads = Callable[[dict[str, bytes]], dict[str, Upload]]
MASK = "a1_causal_mask"


def cell(source: Any, grade_id: Any = None, kind: str = "code") -> dict[str, Any]:
    """A notebook cell, with nbgrader's metadata when it has a name."""
    metadata = {} if grade_id is None else {"nbgrader": {"grade_id": grade_id, "solution": True, "points": 99}}
    return {"cell_type": kind, "metadata": metadata, "source": source, "outputs": [], "execution_count": None}


def notebook(*cells: Any, **top: Any) -> bytes:
    """The bytes of a notebook of format 4."""
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells), **top}).encode()


@pytest.fixture
def smith(uploads: Uploads) -> Callable[[bytes], Upload]:
    """Hands in smith.ipynb and returns what became of it."""
    return lambda data: uploads({"smith.ipynb": data})["smith"]


Smith = Callable[[bytes], Upload]


def refusal(upload: Upload) -> str:
    """Why it was refused; refused it must be, and hold nothing."""
    assert upload.submissions == ()
    assert upload.refused is not None
    return upload.refused


def test_cells_are_found_by_grade_id(smith: Smith) -> None:
    """Text and list of lines are both ways to write a source; other cells are not taken."""
    upload = smith(notebook(cell("x = 1", MASK), cell(["a\n", "b"], "b2_split_heads"), cell("assert 0", "test_mask")))
    assert upload.refused is None
    assert [(s.exercise, s.source, s.origin) for s in upload.submissions] == [
        (MASK, b"x = 1", "smith.ipynb: cell a1_causal_mask"),
        ("b2_split_heads", b"a\nb", "smith.ipynb: cell b2_split_heads"),
    ]
    assert upload.notes == ()


def test_a_byte_order_mark_is_fine(smith: Smith) -> None:
    """Windows editors put one before the JSON."""
    assert len(smith(b"\xef\xbb\xbf" + notebook(cell("x", MASK))).submissions) == 1


def test_the_kernel_and_other_metadata_are_not_looked_at(smith: Smith) -> None:
    """A hostile kernel is text like any other."""
    kernel = {"kernelspec": {"name": "../../evil", "argv": ["/bin/sh"]}}
    assert len(smith(notebook(cell("x", MASK), metadata=kernel)).submissions) == 1


def test_odd_metadata_is_no_match(smith: Smith) -> None:
    """Metadata of any type can stand in a cell without harm."""
    odd = [
        {"cell_type": "code", "metadata": [1], "source": 5},
        {"cell_type": "code", "metadata": {"nbgrader": "yes"}, "source": None},
        {"cell_type": "code"},
        cell("x", [MASK]),
    ]
    upload = smith(notebook(*odd))
    assert (upload.submissions, upload.refused) == ((), None)
    assert upload.notes[0].startswith("nothing to grade was found")


def test_notebook_commands_are_noted(smith: Smith) -> None:
    """Lines for the shell or IPython stay as they are and are pointed out."""
    upload = smith(notebook(cell("%matplotlib inline\nx = 5 % 3\n  !pip install torch", MASK)))
    assert upload.submissions[0].source.startswith(b"%matplotlib")
    assert upload.notes == (
        "smith.ipynb: cell a1_causal_mask: notebook commands (! or % first) are not Python: check line 1, line 3",
    )


def test_a_cell_there_twice_is_refused(smith: Smith) -> None:
    """Copying a cell copies its name; the message says which two."""
    reason = refusal(smith(notebook(cell("x", MASK), cell("y"), cell("x", MASK))))
    assert reason == "smith.ipynb: cell a1_causal_mask is there twice, as cells 1 and 3: delete one of them"


def test_a_cell_of_another_type_is_refused(smith: Smith) -> None:
    """One key press in Jupyter makes code a text; the message says how to undo it."""
    assert "has become a cell of type markdown: turn it back" in refusal(smith(notebook(cell("x", MASK, "markdown"))))


@pytest.mark.parametrize("source", [None, 5, ["a", 1], {"a": "b"}])
def test_a_cell_without_text_is_refused(smith: Smith, source: Any) -> None:
    """A source that is no text cannot be graded."""
    assert "has no readable text" in refusal(smith(notebook(cell(source, MASK))))


def test_half_a_character_is_refused(smith: Smith) -> None:
    """JSON can write a lone surrogate, UTF-8 cannot."""
    assert "lone surrogate" in refusal(smith(notebook(cell("x = '\ud800'", MASK))))


def test_a_huge_cell_is_refused(smith: Smith) -> None:
    """A cell has the same limit as a file."""
    assert "larger than 256 kB" in refusal(smith(notebook(cell("#" * (256 * 1024 + 1), MASK))))


def test_a_huge_notebook_is_refused_with_advice(smith: Smith) -> None:
    """Pictures in the outputs are the usual reason."""
    reason = refusal(smith(notebook(cell("x", MASK)) + b" " * (2 << 20)))
    assert reason == "smith.ipynb is larger than 2 MB: clear the outputs and save again"


def test_a_repeated_key_is_refused(smith: Smith) -> None:
    """Two readers could see two notebooks."""
    reason = refusal(smith(notebook(cell("x", MASK))[:-1] + b', "cells": []}'))
    assert reason == "smith.ipynb says the same key of its JSON twice: open it in Jupyter and save it again"


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_that_are_not_json_are_refused(smith: Smith, constant: str) -> None:
    """Python writes them, the JSON standard has none."""
    assert f"holds {constant}, which is not JSON" in refusal(smith(notebook(cell("x", MASK), metadata=float(constant))))


@pytest.mark.parametrize("version", [3, 5, "4", 4.0, True, None])
def test_other_formats_are_refused(smith: Smith, version: Any) -> None:
    """Only the whole number 4 is format 4."""
    assert "not in notebook format 4" in refusal(smith(notebook(cell("x", MASK), nbformat=version)))


@pytest.mark.parametrize("data", [b"", b"<!DOCTYPE html>", b"[" * 100_000, b'{"a": ' + b"9" * 5000 + b"}", b"{"])
def test_what_is_no_json_is_refused(smith: Smith, data: bytes) -> None:
    """A saved login page, a torn file, bottomless nesting and endless numbers all get the same sentence."""
    assert "is not a notebook or is damaged" in refusal(smith(data))


@pytest.mark.parametrize(
    "data", [b"[]", b"5", b"{}", b'{"nbformat": 4, "cells": {}}', b'{"nbformat": 3, "worksheets": []}']
)
def test_json_without_cells_is_refused(smith: Smith, data: bytes) -> None:
    """JSON alone does not make a notebook."""
    assert "holds no list of notebook cells" in refusal(smith(data))


def test_a_cell_that_is_no_object_is_refused(smith: Smith) -> None:
    """A list with something else in it was not written by Jupyter."""
    assert "has a cell that is no cell" in refusal(smith(notebook(7)))


def test_text_that_is_not_utf8_is_refused(smith: Smith) -> None:
    """The sentence is the one sources get, with the notebook's name before it."""
    assert refusal(smith(b"\xff\xfe" + notebook())).startswith("smith.ipynb: The file is UTF-16 text")
