"""Twelve students, and what they made of the notebook that they were handed."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.course.load import load_course
from autograder.quiz.cell import answers_name
from autograder.quiz.draw import DEFAULT, load_quiz
from tests.integrations.course_folder.conftest import (
    CARD,
    HEAVIEST,
    K1,
    K2,
    QUIZ,
    RIGHT,
    TEXT,
    WRONG,
    answered,
    cell_of,
    grade_id,
    hand_in,
)  # fmt: skip

Book = dict[str, Any]
HOSTILE_TEXT = (
    "<script>steal()</script> <img src=x onerror=steal()> [a](javascript:steal) ![b](http://127.0.0.1/seen) "
    "&lt;b&gt; stay where you are until the boat comes for you\n\n[c]: javascript:steal\n[c]\n"
)


def model_quiz(course: Path) -> str:
    """The quiz cell with all answers right."""
    loaded = load_course(course)
    exercise = loaded.exercise(QUIZ)
    drawn = load_quiz(loaded, exercise).draw(DEFAULT)
    typed = "".join(f"    {name}={question.model!r},\n" for name, question in drawn.items())
    return f"{answers_name(exercise)} = dict(\n{typed})\n"


def a_class(course: Path, folder: Path) -> None:
    """Hand all of them in."""
    for student, book, when in _class(course):
        hand_in(folder, student, book, when)


def _class(course: Path) -> Iterator[tuple[str, Book | bytes, str]]:
    soon, late = "2026-03-01T12:00:00Z", "2026-03-04 12:00:00 UTC"
    right = answered(course, k1=RIGHT, k2=HEAVIEST, k3=model_quiz(course), k4=CARD)
    yield "ada", right, soon
    yield "bo", answered(course, k1=WRONG, k2=HEAVIEST, k4=HOSTILE_TEXT), soon
    yield "cy", tampered(answered(course, k1=WRONG)), soon
    yield "dora", without(answered(course, k1=RIGHT, k2=HEAVIEST), K1, f"{K1}-check", "start"), soon
    yield "eve", twice(answered(course, k1=WRONG, k2=HEAVIEST), K1, RIGHT), soon
    yield (
        "finn",
        answered(course, k1=f"%time x = 1\n!touch pwned\n{RIGHT}", k2=f"%%bash\ntouch pwned\n{HEAVIEST}"),
        soon,
    )
    yield "gwen", old_format(right), late
    yield "hal", b"<html>Please log in</html>", soon
    yield "ida", split(answered(course, k1=f"import numpy as np\n\nHALF = 2\n\n{RIGHT}", k2=HEAVIEST), K1), soon
    yield "jo", renamed(answered(course, k1=RIGHT, k3=model_quiz(course), k4=CARD)), soon
    yield "kim", retyped(answered(course, k1=RIGHT, k2=HEAVIEST), K1), late
    yield "lee", odd_json(right), soon


def tampered(book: Book) -> Book:
    """Points raised, locks opened, the check replaced by a number, an output that looks like one."""
    for cell in book["cells"]:
        if role := cell["metadata"].get("nbgrader"):
            role |= {"points": 99, "locked": False, "solution": True}
        if grade_id(cell).endswith("-check"):
            cell["source"] = "99.0"
            cell["outputs"] = [
                {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "99.0"}},
                {"output_type": "display_data", "metadata": {}, "data": {"text/html": "<script>steal()</script>"}},
            ]
    return book


def without(book: Book, *names: str) -> Book:
    """These cells were deleted."""
    return book | {"cells": [cell for cell in book["cells"] if grade_id(cell) not in names]}


def twice(book: Book, name: str, source: str) -> Book:
    """A cell was copied, name and all, and the copy changed."""
    cell = cell_of(book, name)
    at = book["cells"].index(cell) + 1
    return book | {"cells": [*book["cells"][:at], copy.deepcopy(cell) | {"source": source}, *book["cells"][at:]]}


def split(book: Book, name: str) -> Book:
    """A cell was cut before its last definition; only the first half kept its name."""
    cell = cell_of(book, name)
    head, define, tail = cell["source"].partition("def ")
    at = book["cells"].index(cell) + 1
    rest = copy.deepcopy(cell) | {"source": define + tail, "metadata": {}}
    cell["source"] = head
    return book | {"cells": [*book["cells"][:at], rest, *book["cells"][at:]]}


def renamed(book: Book) -> Book:
    """One cell has another name, the others have none any more."""
    cell_of(book, K1)["metadata"]["nbgrader"]["grade_id"] = "my_answer"
    for name in (QUIZ, TEXT):
        cell_of(book, name)["metadata"] = {}
    return book


def retyped(book: Book, name: str) -> Book:
    """One key press made a text of the answer."""
    cell_of(book, name)["cell_type"] = "markdown"
    return book


def old_format(book: Book) -> bytes:
    """As notebooks were saved until 2015."""
    cells = []
    for cell in copy.deepcopy(book["cells"]):
        if cell["cell_type"] == "code":
            cell["input"] = cell.pop("source")
        cells.append(cell)
    return json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}).encode()


def odd_json(book: Book) -> bytes:
    """Cells that are none, half a character, a number that JSON does not know, and a key that is there twice."""
    broken = copy.deepcopy(book)
    cell_of(broken, K2)["source"] = "x = '\ud800'\n"
    broken["cells"][1:1] = [7, {"cell_type": "code", "source": [1]}, {"metadata": {"nbgrader": [1]}, "source": "x"}]
    broken["metadata"] = {"nan": float("nan")}
    return json.dumps(broken)[:-1].encode() + b', "nbformat": 4}'
