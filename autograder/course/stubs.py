"""Cut the learner's stub from a model answer."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from autograder.course.errors import ContentError
from autograder.course.files import parse

#: What a stub says of itself. Nothing else counts as not having tried.
NOT_WRITTEN = "is not written yet"

# Sloppily written marks count too: one that is overlooked would hand the answer to the class.
_MARK = re.compile(r"#+\s*(BEGIN|END)\s+SOLUTION\s*", re.IGNORECASE)
_ONLY = re.compile(r"#+\s*solution only\s*", re.IGNORECASE)

Def: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class _Comment(NamedTuple):
    line: int
    indent: int
    text: str
    alone: bool


class _Edit(NamedTuple):
    """Lines first..last, counted from 1, give way to new ones."""

    first: int
    last: int
    lines: tuple[str, ...] = ()


def cut_stub(source: str, path_for_errors: str) -> str:
    """The source with each marked block replaced by one line that raises NotImplementedError.

    The line says which function or `Class.method` is missing. Imports marked `# solution only` are left out.
    Raises ContentError where marks are unbalanced, nested, outside a function or missing altogether.
    """
    source = io.StringIO(source, newline=None).read()
    tree = parse(source, path_for_errors)
    lines = source.split("\n")
    comments = list(_comments(source))
    problems: list[tuple[int, str]] = []
    blocks = list(_blocks(tree, comments, problems))
    imports = list(_imports(tree, lines, comments, problems))
    if not problems and not blocks:
        problems.append((1, "nothing is marked with '### BEGIN SOLUTION', so the stub would hold the whole answer"))
    if problems:
        raise ContentError(tuple(f"{path_for_errors}:{line}: {text}" for line, text in sorted(problems)))
    imports = [each for each in imports if not any(block.first < each.last < block.last for block in blocks)]
    for edit in sorted([*blocks, *imports], reverse=True):
        lines[edit.first - 1 : edit.last] = edit.lines
    stub = "\n".join(lines)
    parse(stub, f"the stub of {path_for_errors}")
    return stub


def learners_lines(source: str, path_for_errors: str) -> frozenset[int]:
    """The numbers of the lines between the marks, which are left to the learner. Raises as `cut_stub` does."""
    blocks = _blocks(parse(source, path_for_errors), list(_comments(source)), [])
    return frozenset(line for block in blocks for line in range(block.first + 1, block.last))


def _comments(source: str) -> Iterator[_Comment]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line, column = token.start
            yield _Comment(line, column, token.string, not token.line[:column].strip())


def _blocks(tree: ast.Module, comments: list[_Comment], problems: list[tuple[int, str]]) -> Iterator[_Edit]:
    begin: _Comment | None = None
    for mark in comments:
        if not (match := _MARK.fullmatch(mark.text)):
            continue
        opens = match[1].upper() == "BEGIN"
        if not mark.alone:
            problems.append((mark.line, f"'{mark.text.strip()}' must stand on a line of its own"))
        elif opens and begin:
            problems.append((mark.line, f"a block begins inside the block that began on line {begin.line}"))
        elif opens:
            begin = mark
        elif begin is None:
            problems.append((mark.line, "a block ends here that never began"))
        else:
            name, problem = _owner(tree, begin, mark)
            if problem:
                problems.append((begin.line, problem))
            else:
                raising = f'raise NotImplementedError("{name} {NOT_WRITTEN}")'
                yield _Edit(begin.line, mark.line, (" " * begin.indent + raising,))
            begin = None
    if begin:
        problems.append((begin.line, "the block that begins here never ends"))


def _owner(tree: ast.Module, begin: _Comment, end: _Comment) -> tuple[str, str]:
    """The name of the innermost function around a block, or what is wrong with the block."""
    name, owner = "", None
    for found_name, found in _functions(tree, ""):
        if found.lineno < begin.line <= (found.end_lineno or 0):
            name, owner = found_name, found
    if owner is None:
        return "", "a block must lie inside a function and hold some of its lines"
    inside = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and begin.line < node.lineno < end.line]
    if not inside:
        return "", "there is nothing between the marks"
    leaves = any((node.end_lineno or 0) > min(end.line, owner.end_lineno or 0) for node in inside)
    if leaves or begin.indent != end.indent or any(node.col_offset < begin.indent for node in inside):
        return "", f"the block must end inside '{name}', with both marks indented like its lines"
    return name, ""


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Def]]:
    """Every function below a node, outer ones first; methods carry the name of their class."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Def):
            yield prefix + child.name, child
        yield from _functions(child, f"{child.name}." if isinstance(child, ast.ClassDef) else "")


def _imports(
    tree: ast.Module, lines: list[str], comments: list[_Comment], problems: list[tuple[int, str]]
) -> Iterator[_Edit]:
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    for comment in comments:
        if not _ONLY.fullmatch(comment.text):
            continue
        node = next((each for each in imports if each.lineno <= comment.line <= (each.end_lineno or 0)), None)
        if node is None:
            problems.append((comment.line, "only an import can be marked '# solution only'"))
            continue
        first, last = node.lineno, node.end_lineno or node.lineno
        around = lines[first - 2 : first - 1] + lines[last : last + 1]
        # An import between two blank lines takes one of them along, or the stub would show a gap.
        yield _Edit(first - 1 if around == ["", ""] else first, last)
