"""Cut out of a probes.py what the shown probes measure with, and nothing else of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from autograder.course.errors import ContentError
from autograder.course.files import parse
from autograder.records import Probe


def cut_measures(source: str, probes: Iterable[Probe], path_for_errors: str) -> str:
    """The measuring functions of these probes with the helpers, constants and imports they use, without comments.

    Raises ContentError for a measure that is no function at the top of the file.
    """
    wanted = {probe.measure.__name__: probe.name for probe in probes if probe.measure}
    if not wanted:
        return ""
    tree = parse(source, path_for_errors)
    places = {name: statement for statement in tree.body for name in _binds(statement)}
    functions = {name for name, statement in places.items() if isinstance(statement, ast.FunctionDef)}
    if strange := wanted.keys() - functions:
        name = wanted[min(strange)]
        says = f"probe '{name}' must measure with a function at the top of the file to be handed out"
        raise ContentError((f"{path_for_errors}: {says}",))
    needed: set[ast.stmt] = set()
    waiting = [places[name] for name in wanted]
    while waiting:
        statement = waiting.pop()
        if statement not in needed:
            needed.add(statement)
            used = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
            waiting += [places[name] for name in used if name in places]
    kept = ast.Module([statement for statement in tree.body if statement in needed], [])
    return _bare(kept)


def bare_source(source: str, path_for_errors: str) -> str:
    """A source without comments and docstrings, which are for its author. Raises ContentError where it is no Python."""
    return _bare(parse(source, path_for_errors))


def _binds(statement: ast.stmt) -> list[str]:
    """The names that a statement at the top of a file gives a meaning."""
    match statement:
        case ast.FunctionDef(name) | ast.ClassDef(name):
            return [name]
        case ast.Import(aliases) | ast.ImportFrom(names=aliases):
            return [(alias.asname or alias.name).partition(".")[0] for alias in aliases]
        case _:
            stored = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
            return [node.id for node in stored if isinstance(node.ctx, ast.Store)]


def _bare(tree: ast.Module) -> str:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree) + "\n"
