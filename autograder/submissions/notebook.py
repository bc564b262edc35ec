"""The exercise cells of a notebook, read as data. No kernel is started and no other cell is looked at."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Mapping
from typing import Any, NoReturn

from autograder.submissions import names
from autograder.submissions.errors import Refusal
from autograder.submissions.member import SOURCE
from autograder.submissions.text import UnreadableSource, decode

_COMMAND = re.compile(r"\s*[!%]")


def cells(data: bytes, origin: str, expected: Mapping[str, bool]) -> tuple[dict[str, bytes], list[str]]:
    """The source of each cell whose nbgrader ``grade_id`` is an expected exercise, and notes for a person.

    ``expected`` says of each exercise whether it is a text, which stands in a Markdown cell; the others are code.
    Points, flags, outputs and the kernel named in the file are the learner's to write and are not read. Raises Refusal
    for anything that two readers could understand differently.
    """
    found: dict[str, tuple[int, bytes]] = {}
    notes = []
    for number, cell in enumerate(_parse(data, origin), start=1):
        exercise = grade_id(cell)
        if exercise not in expected:
            continue
        where = f"{origin}: cell {exercise}"
        if exercise in found:
            raise Refusal(f"{where} is there twice, as cells {found[exercise][0]} and {number}: delete one of them")
        wanted = "markdown" if expected[exercise] else "code"
        if cell.get("cell_type") != wanted:
            kind = names.shown(str(cell.get("cell_type")))
            raise Refusal(f"{where} has become a cell of type {kind}: turn it back into a {wanted} cell")
        source = _source(cell, where)
        found[exercise] = number, source
        if wanted == "code" and (commands := _commands(source.decode())):
            lines = names.listed([f"line {number}" for number in commands])
            notes.append(f"{where}: notebook commands (! or % first) are not Python: check {lines}")
    return {exercise: source for exercise, (_, source) in found.items()}, notes


def without_commands(source: str) -> tuple[str, list[int]]:
    """The source with notebook commands made comments, and their lines; as it is where it is Python already."""
    lines = _commands(source)
    if not lines or is_python(source):
        return source, []
    kept = [f"# {line}" if at in lines else line for at, line in enumerate(source.split("\n"), start=1)]
    return "\n".join(kept), lines


def is_python(source: str) -> bool:
    """Whether Python could compile this."""
    try:
        with warnings.catch_warnings(action="ignore"):
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _commands(source: str) -> list[int]:
    """The numbers of the lines that IPython would take for commands."""
    return [at for at, line in enumerate(source.split("\n"), start=1) if _COMMAND.match(line)]


def _parse(data: bytes, origin: str) -> list[dict[str, Any]]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise Refusal(f"{origin} says the same key of its JSON twice: open it in Jupyter and save it again")
        return found

    def never(constant: str) -> NoReturn:
        raise Refusal(f"{origin} holds {constant}, which is not JSON: clear the outputs and save it again")

    try:
        book = json.loads(decode(data)[0], object_pairs_hook=once, parse_constant=never)
    except UnreadableSource as error:
        raise Refusal(f"{origin}: {error}") from None
    except (ValueError, RecursionError):
        raise Refusal(f"{origin} is not a notebook or is damaged: open it in Jupyter and save it again") from None
    if not isinstance(book, dict) or not isinstance(book.get("cells"), list):
        raise Refusal(f"{origin} holds no list of notebook cells: open it in Jupyter and save it as notebook format 4")
    if type(book.get("nbformat")) is not int or book["nbformat"] != 4:
        raise Refusal(f"{origin} is not in notebook format 4: open it in Jupyter and save it again")
    if not all(isinstance(cell, dict) for cell in book["cells"]):
        raise Refusal(f"{origin} has a cell that is no cell: open it in Jupyter and save it again")
    cells: list[dict[str, Any]] = book["cells"]
    return cells


def grade_id(cell: dict[str, Any]) -> str:
    """The cell's nbgrader name; empty where any step on the way to it is missing or of an odd type."""
    value: Any = cell
    for key in ("metadata", "nbgrader", "grade_id"):
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _source(cell: dict[str, Any], where: str) -> bytes:
    source: Any = cell.get("source")
    lines: list[Any] = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        raise Refusal(f"{where} has no readable text: open the notebook in Jupyter and save it again")
    try:
        data = "".join(lines).encode()
    except UnicodeEncodeError:
        raise Refusal(f"{where} holds half a character (a lone surrogate): delete it and save again") from None
    if len(data) > SOURCE.size:
        raise SOURCE.refusal(where)
    return data
