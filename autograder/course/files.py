"""The texts of an exercise's folder in solutions/."""

from __future__ import annotations

import ast
from pathlib import Path

from autograder.course.errors import ContentError, display
from autograder.course.model import Course, Exercise


def read_source(path: Path) -> str:
    """A file of solutions/ as text, newlines as \\n. Raises ContentError where it is missing or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ContentError((f"{display(path)}: there is no such file",)) from None
    except UnicodeDecodeError:
        raise ContentError((f"{display(path)}: is not UTF-8 text; save the file with that encoding",)) from None
    except OSError as error:
        raise ContentError((f"{display(path)}: cannot be read ({error.strerror})",)) from None


def parse(source: str, name: str) -> ast.Module:
    """The syntax tree of a Python source. Raises ContentError, with `name` and line, where it is not Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError) as error:  # ValueError: null bytes, in some versions of Python
        line = f":{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ContentError((f"{name}{line}: is not valid Python: {said}",)) from None


def solution_source(course: Course, exercise: Exercise) -> str:
    """The model answer, marks included."""
    return read_source(course.folder(exercise) / "solution.py")


def driver_source(course: Course, exercise: Exercise) -> str | None:
    """How the worker drives the learner's code; None where a plain call is enough."""
    path = course.folder(exercise) / "driver.py"
    return read_source(path) if path.exists() else None
