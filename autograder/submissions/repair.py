"""The answers in a notebook that went through somebody's hands: cells copied, split, renamed, retyped or deleted.

A notebook is read as data, and what nbgrader's metadata says is taken as a hint: whatever can only have meant one thing
is mended, and what cannot costs its own exercise. Either way there is a sentence about it.
"""

from __future__ import annotations

import ast
import functools
import json
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from autograder.submissions import names
from autograder.submissions.errors import Refusal
from autograder.submissions.member import SOURCE
from autograder.submissions.notebook import grade_id, is_python, without_commands
from autograder.submissions.text import UnreadableSource, decode

Kind: TypeAlias = Literal["code", "quiz", "text"]
#: More cells than anybody writes, and more pieces than anybody cuts a cell into.
_MOST_CELLS, _MOST_PIECES = 2000, 8


@dataclass(frozen=True)
class Wanted:
    """What an answer's cell is known by."""

    exercise: str
    kind: Kind
    names: tuple[str, ...]
    """What it defines, or the questions it answers; of a text the line that its cell starts with."""
    blank: str
    """The cell as it was handed out."""


@dataclass
class Answers:
    """What was found in a notebook."""

    sources: dict[str, bytes] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    """Sentences about each exercise whose cells were not as they were handed out."""

    def note(self, exercise: str, text: str) -> None:
        """Add a sentence about an exercise."""
        self.notes.setdefault(exercise, []).append(text)


@dataclass(frozen=True)
class _Cell:
    number: int
    type: str
    source: str
    name: str
    """Its grade_id, which anybody may have written there; empty where it has none."""


def answers(data: bytes, wanted: Sequence[Wanted]) -> Answers:
    """The source of every wanted exercise that the notebook answers. Nothing in it is executed.

    Raises Refusal where the file as a whole is no notebook.
    """
    cells = list(_cells(data))
    found, known = Answers(), {each.exercise for each in wanted}
    for each in wanted:
        named = [cell for cell in cells if cell.name == each.exercise]
        source = _of_named(each, named, cells, found) if named else _of_unnamed(each, cells, known, found)
        if source is not None:
            _take(each, source, found)
    return found


def _take(wanted: Wanted, source: str, found: Answers) -> None:
    if wanted.kind == "code":
        source, commands = without_commands(source)
        if commands:
            lines = names.listed([f"line {number}" for number in commands])
            found.note(wanted.exercise, f"notebook commands (! or % first) were left out: {lines}")
    try:
        data = source.encode()
    except UnicodeEncodeError:
        found.note(wanted.exercise, "holds half a character (a lone surrogate), so it was not read")
        return
    if len(data) > SOURCE.size:
        found.note(wanted.exercise, f"{SOURCE.refusal('its cell')}")
        return
    found.sources[wanted.exercise] = data


def _of_named(wanted: Wanted, named: list[_Cell], cells: list[_Cell], found: Answers) -> str:
    """The answer where one or more cells carry the name of the exercise."""
    type = "markdown" if wanted.kind == "text" else "code"
    for cell in named:
        if cell.type != type:
            found.note(wanted.exercise, f"cell {cell.number} had become a cell of type {names.shown(cell.type)}")
    written = [cell for cell in named if cell.source.strip() != wanted.blank.strip()] or named[-1:]
    if len(named) > 1:
        listed = names.listed([str(cell.number) for cell in named])
        what = (
            "they were put together"
            if wanted.kind == "code" and len(written) > 1
            else "the last that was changed counts"
        )
        found.note(wanted.exercise, f"its cell was there {len(named)} times (cells {listed}); {what}")
    if wanted.kind != "code":
        return written[-1].source
    source = _joined(written)
    if is_python(source) and _defines(source, wanted.names):
        return source
    return _with_following(wanted, source, written[-1], cells, found)


def _joined(cells: list[_Cell]) -> str:
    """Cells one after another, as a kernel runs them; those that are no Python only where nothing else helps."""
    whole = "\n\n".join(cell.source for cell in cells)
    sound = [cell for cell in cells if is_python(without_commands(cell.source)[0])]
    if not sound or len(sound) == len(cells) or is_python(without_commands(whole)[0]):
        return whole
    return "\n\n".join(cell.source for cell in sound)


def _with_following(
    wanted: Wanted, source: str, last: _Cell, cells: list[_Cell], found: Answers
) -> str:  # fmt: skip
    """The answer with the nameless code cells below it, where only they define what the exercise asks for."""
    joined, numbers = source, [str(last.number)]
    for cell in cells[last.number :][:_MOST_PIECES]:
        if cell.type != "code" or cell.name or len(joined) > SOURCE.size:
            break
        joined += f"\n\n{cell.source}"
        numbers.append(str(cell.number))
        if _defines(without_commands(joined)[0], wanted.names):
            found.note(wanted.exercise, f"its cell was split; cells {', '.join(numbers)} were put together")
            return joined
    return source


def _of_unnamed(wanted: Wanted, cells: list[_Cell], known: set[str], found: Answers) -> str | None:
    """The answer where no cell carries the name: the last other cell that can only be this one."""
    fitting = [cell for cell in cells if cell.name not in known and _fits(wanted, cell.source)]
    if not fitting:
        found.note(wanted.exercise, f"no cell is called {wanted.exercise}, and none looks like its answer")
        return None
    written = [cell for cell in fitting if cell.source.strip() != wanted.blank.strip()] or fitting
    found.note(wanted.exercise, f"no cell is called {wanted.exercise}; cell {written[-1].number} was taken for it")
    return written[-1].source


def _fits(wanted: Wanted, source: str) -> bool:
    if wanted.kind == "code":
        return _defines(without_commands(source)[0], wanted.names)
    if wanted.kind == "text":
        return any(name in source for name in wanted.names)
    typed = sum(bool(re.search(rf"\b{re.escape(name)}\b[\"']?\s*[=:]", source)) for name in wanted.names)
    return 2 * typed >= len(wanted.names) > 0


def _defines(source: str, wanted: Sequence[str]) -> bool:
    """Whether a source defines all these names at its top level."""
    if len(source) > SOURCE.size or not all(name in source for name in wanted):
        return False
    return _defined(source).issuperset(wanted)


@functools.lru_cache(64)
def _defined(source: str) -> frozenset[str]:
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    assigned = {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(assigned | {getattr(node, "name", "") for node in tree.body})


def _cells(data: bytes) -> Iterator[_Cell]:
    """The cells of a notebook of any format, numbered from 1. What is no cell is passed over. Raises Refusal."""
    try:
        book = json.loads(decode(data)[0])
    except UnreadableSource as error:
        raise Refusal(f"{error}") from None
    except (ValueError, RecursionError):
        raise Refusal("it is not a notebook or is damaged: open it in Jupyter and save it again") from None
    found = book.get("cells") if isinstance(book, dict) else None
    if found is None and isinstance(book, dict) and isinstance(book.get("worksheets"), list):  # until format 3
        sheets = [sheet.get("cells") for sheet in book["worksheets"] if isinstance(sheet, dict)]
        found = [cell for sheet in sheets if isinstance(sheet, list) for cell in sheet]
    if not isinstance(found, list):
        raise Refusal("it holds no list of notebook cells: open it in Jupyter and save it again")
    for number, cell in enumerate(found[:_MOST_CELLS], start=1):
        source = _text(cell) if isinstance(cell, dict) else None
        if source is None:
            cell, source = {}, ""
        yield _Cell(number, str(cell.get("cell_type")), source, grade_id(cell))


def _text(cell: dict[str, Any]) -> str | None:
    source: Any = cell.get("source", cell.get("input"))  # code cells had an input until format 3
    lines = source if isinstance(source, list) else [source]
    return "".join(lines) if all(isinstance(line, str) for line in lines) else None
