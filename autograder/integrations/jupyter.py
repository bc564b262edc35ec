"""`check` for a cell of a notebook: what `headcount check` says about an answer, with its picture.

The learner's function is not called here. The cell that defined it goes, as text, the way that a file goes, so that the
notebook, the command line and the grading agree.
"""

from __future__ import annotations

import ast
import atexit
import html
import inspect
import json
import linecache
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from autograder import checking, papers
from autograder.course.load import find_course, load_course
from autograder.course.model import Course, Exercise
from autograder.errors import HeadcountError
from autograder.learn.checking import check_source, drawn
from autograder.learn.progress import Progress
from autograder.learn.warm import WarmWorkers
from autograder.records import Picture, Result
from autograder.report.svg import svg_picture
from autograder.sandbox.launch import Zygote
from autograder.submissions.notebook import without_commands

#: What nbgrader runs the notebook for, in its words: "autograde" or "validate". Empty where a person runs it.
PURPOSE = "NBGRADER_EXECUTION"
#: The folder of the course, for notebooks that lie elsewhere.
COURSE = "HEADCOUNT_COURSE"
_AGAIN = "Run the cell with your answer, then this one."


class NotRight(Exception):
    """Raised where nbgrader validates a notebook and an answer does not pass; says what `check` says."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


@dataclass(frozen=True)
class Told:
    """What is shown below a cell: text where there is only text, else with the picture drawn."""

    text: str
    without_picture: str = ""
    picture: Picture | None = None

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        picture = svg_picture(self.picture) if self.picture else ""
        return f'<pre style="white-space: pre-wrap">{html.escape(self.without_picture or self.text)}</pre>{picture}'


def check(exercise: str, answer: object) -> Told | float | None:
    """Judge the cell that defined `answer`: a function or class, or for a quiz the dict with what was typed.

    Where nbgrader grades the notebook, the points; hidden checks count then. Where it validates one, nothing for a
    right answer, which it would take for a number of points. Raises NotRight for a wrong one.
    """
    purpose = os.environ.get(PURPOSE, "")
    try:
        course, workers = _session(_root())
        found = course.find(exercise)
        source = source_of(found, answer)
        if purpose == "autograde":
            return workers.use(found, partial(_marked, course, found, source)).points
        progress = Progress(course)
        result, printed = workers.use(found, partial(check_source, course, progress, found, source, found.id))
    except HeadcountError as problem:
        if purpose:
            raise
        return Told(str(problem))
    text = drawn(found, result, printed)
    if purpose and result.verdict != "OK":
        raise NotRight(text)
    if purpose:
        return None
    return Told(text, drawn(found, replace(result, picture=None), printed), result.picture)


def _marked(course: Course, exercise: Exercise, source: bytes, zygote: Zygote | None) -> Result:
    if exercise.kind != "code":
        return papers.check(course, exercise, source, exercise.id)
    return checking.mark_alone(course, exercise, source, exercise.id, zygote)


def _root() -> Path:
    named = os.environ.get(COURSE)
    return Path(named) if named else find_course(Path.cwd())


@cache
def _session(root: Path) -> tuple[Course, WarmWorkers]:
    """The course, and workers that stay as long as the kernel does: a second check costs a fork and no start."""
    course = load_course(root)
    workers = WarmWorkers(course)
    atexit.register(workers.close)
    return course, workers


def source_of(exercise: Exercise, answer: object) -> bytes:
    """What would be handed in: a sheet of what was typed, or the text of the cell that defined the answer.

    Raises HeadcountError where there is no such cell.
    """
    if exercise.kind == "quiz":
        if not isinstance(answer, Mapping):
            raise HeadcountError(f"The answers are a dict, as in the cell above. {_AGAIN}")
        typed = {str(name): {"answer": str(value)} for name, value in answer.items()}
        return json.dumps({"questions": typed}, ensure_ascii=False).encode("utf-8", "replace")
    if exercise.kind == "text":
        raise HeadcountError(f"{exercise.id} is a text: a person reads it, so there is nothing to check here.")
    parsed, raw = _history()
    text = _defining_text(answer)
    cells = [
        cell for cell, seen in zip(raw, parsed, strict=True) if _is_it(seen, text, getattr(answer, "__name__", ""))
    ]
    if not cells:
        raise HeadcountError(f"No cell of this notebook defines what was given to `check`. {_AGAIN}")
    return without_commands(cells[-1])[0].encode("utf-8", "replace")


def _history() -> tuple[Sequence[str], Sequence[str]]:
    """All cells that were run: as Python, and as they were typed."""
    from IPython import get_ipython

    shell: Any = get_ipython()
    if shell is None:
        raise HeadcountError("This works in a notebook. On the command line: headcount check")
    history = shell.history_manager
    return history.input_hist_parsed, history.input_hist_raw


def _defining_text(answer: Any) -> str:
    """The whole text in which a function, or a method of a class, was compiled; empty where nothing tells."""
    functions = [inspect.unwrap(answer)] if callable(answer) else []
    if isinstance(answer, type):
        functions = [getattr(each, "__func__", each) for each in vars(answer).values()]
    files = [code.co_filename for each in functions if (code := getattr(each, "__code__", None))]
    return "".join(linecache.getlines(files[0])) if files else ""


def _is_it(cell: str, text: str, name: str) -> bool:
    if text:
        return cell.strip() == text.strip()
    try:
        tree = ast.parse(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return bool(name) and any(getattr(node, "name", None) == name for node in tree.body)
