"""A quiz in a notebook: the cell that its answers are typed into, and how that cell is read, as text, never run.

An answer is what was typed: the text between the quotes, or where somebody left the quotes out, the expression itself.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from autograder.course.model import Exercise
from autograder.quiz.draw import DEFAULT, Quiz
from autograder.quiz.nodes import Map, Node, Text

#: More answers than any quiz has; finding the text of each takes time.
_MOST = 200
_HOW = "# Type each answer between its quotes. An empty one costs only its own points."


def answers_name(exercise: Exercise) -> str:
    """What the answers of a quiz are called in its notebook, where other quizzes have theirs."""
    return f"{exercise.id.partition('_')[0]}_answers"


def answers_cell(quiz: Quiz) -> str:
    """The cell without answers. It defines one dict, which the check is given."""
    lines = [f'    {name}="",  # {question.how}' for name, question in quiz.draw(DEFAULT).items()]
    return "\n".join([_HOW, f"{answers_name(quiz.exercise)} = dict(", *lines, ")"])


def read_cell(text: str) -> Map | None:
    """The answers of a cell in the form of a sheet; None where the text is no such cell."""
    try:
        with warnings.catch_warnings(action="ignore"):  # about what is written in there, to whoever started us
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = [node for node in tree.body if isinstance(node, ast.Assign) and _pairs(node.value) is not None]
    if not found:
        return None
    node = found[-1]  # whoever assigned twice meant the last one
    pairs = [(Text(line, name), _question(value, text)) for name, line, value in (_pairs(node.value) or ())[:_MOST]]
    return Map(node.lineno, ((Text(node.lineno, "questions"), Map(node.lineno, tuple(pairs))),))


def _pairs(value: ast.expr) -> list[tuple[str, int, ast.expr]] | None:
    """Names, lines and values of ``dict(name=...)`` or ``{"name": ...}``; None for anything else."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict" and not value.args:
        return [(each.arg, each.value.lineno, each.value) for each in value.keywords if each.arg]
    if isinstance(value, ast.Dict):
        return list(_literal(value))
    return None


def _literal(value: ast.Dict) -> Iterator[tuple[str, int, ast.expr]]:
    for key, each in zip(value.keys, value.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield key.value, each.lineno, each


def _question(value: ast.expr, text: str) -> Node:
    written = value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
    typed = ast.get_source_segment(text, value) or "" if written is None else written
    return Map(value.lineno, ((Text(value.lineno, "answer"), Text(value.lineno, typed)),))
