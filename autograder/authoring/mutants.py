"""Every small change of a model answer, one at a time: the wrong answers that nobody thought of.

A mutant is the whole file with one change inside the learner's lines. The list is the same on every run.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain

import libcst as cst

from autograder.authoring.variations import dropped, instead, looked_up

_COMMENT = re.compile(r"\s+#.*$")


@dataclass(frozen=True)
class Mutant:
    """A changed model answer: where, the statement as it was and as it is, and the whole changed file."""

    line: int
    was: str
    becomes: str
    source: str


def mutants(source: str, lines: Collection[int]) -> list[Mutant]:
    """All mutants that change only these lines, in the order of the file; no two of them are the same program."""
    module = cst.parse_module(source)
    known = {ast.dump(ast.parse(source))}
    found = []
    for node, names in _nodes(module, ()):
        for other in chain(instead(node), dropped(node), looked_up(node, names)):
            mutated = module.deep_replace(node, other)
            assert isinstance(mutated, cst.Module)
            changed = mutated.code
            if mutant := _mutant(source, changed, lines):
                tree = _tree(changed)
                if tree and tree not in known:
                    known.add(tree)
                    found.append(mutant)
    return sorted(found, key=lambda mutant: mutant.line)


def _nodes(node: cst.CSTNode, names: tuple[str, ...]) -> Iterator[tuple[cst.CSTNode, tuple[str, ...]]]:
    """Every node worth changing, with the local names of the function around it."""
    if isinstance(node, cst.FunctionDef):
        names = _local_names(node)
    yield node, names
    for child in _inside(node):
        yield from _nodes(child, names)


def _inside(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The parts of a node that hold a value. Names that are bound, annotations and error texts are not changed."""
    match node:
        case cst.Raise() | cst.Annotation() | cst.Parameters() | cst.Import() | cst.ImportFrom():
            return
        case cst.Attribute():
            yield node.value
        case cst.Assert():
            yield node.test
        case cst.Arg() | cst.NamedExpr():
            yield node.value
        case cst.AssignTarget() | cst.AnnAssign() | cst.AugAssign():
            if isinstance(node.target, (cst.Subscript, cst.Tuple)):
                yield node.target
            if not isinstance(node, cst.AssignTarget) and node.value:
                yield node.value
        case cst.For() | cst.CompFor():
            yield from (child for child in node.children if child is not node.target)
        case cst.FunctionDef() | cst.ClassDef():
            yield node.body
        case _:
            yield from node.children


def _local_names(function: cst.FunctionDef) -> tuple[str, ...]:
    """Parameters and variables of a function, in the order in which they appear; without the first of a method."""
    params = [param.name.value for param in (*function.params.params, *function.params.kwonly_params)]
    tree = ast.parse(cst.Module([function]).code)
    nodes = sorted(
        (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)),
        key=lambda node: (node.lineno, node.col_offset),
    )
    named = dict.fromkeys(params + [node.id for node in nodes])
    return tuple(name for name in named if name != "self")


def _mutant(source: str, changed: str, lines: Collection[int]) -> Mutant | None:
    """The change in words; None where it reaches beyond the learner's lines."""
    before, after = source.splitlines(), changed.splitlines()
    edits = [edit for edit in difflib.SequenceMatcher(None, before, after, False).get_opcodes() if edit[0] != "equal"]
    if not edits:
        return None
    first, last, start, end = edits[0][1], edits[-1][2], edits[0][3], edits[-1][4]
    if not {*range(first + 1, last + 1), first + 1} <= set(lines):
        return None
    return Mutant(first + 1, _words(before[first:last]), _words(after[start:end]) or "pass", changed)


def _words(lines: list[str]) -> str:
    """Code lines as one line, without indents and comments."""
    return " ".join(" ".join(_COMMENT.sub("", line) for line in lines).split())


def _tree(source: str) -> str | None:
    try:
        compile(source, "mutant", "exec", dont_inherit=True)
    except SyntaxError:
        return None
    return ast.dump(ast.parse(source))
