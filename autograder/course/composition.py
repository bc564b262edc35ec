"""Wrong answers of a step inside every exercise that contains the step. Works on syntax trees; runs nothing.

An exercise whose misconceptions.py holds an @assembled answer says in plain calls which steps it consists of. A wrong
answer to one step is written once; defined anew behind everything else, it takes the step's place everywhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import chain

from autograder.course.errors import ContentError, did_you_mean, display
from autograder.course.files import parse, read_source, solution_source
from autograder.course.model import Course, Exercise
from autograder.course.sheet import Problem, Sheet, broken, defined, read_sheet

_IMPORT = re.compile(r"^from (\w+) import", re.MULTILINE)


def contained(course: Course, sheet: Sheet) -> list[Sheet]:
    """The sheets whose steps this one uses, directly or through others, each after those it uses itself.

    Raises ContentError where one of them breaks its own contract or two use each other.
    """
    found: dict[str, Sheet] = {}
    _collect(course, sheet, (sheet.exercise.id,), found)
    return list(found.values())


def _collect(course: Course, sheet: Sheet, path: tuple[str, ...], found: dict[str, Sheet]) -> None:
    for id in sheet.imports:
        if id in path:
            raise ContentError((f"{display(sheet.path)}: takes steps from {id}, which takes steps from here",))
        if id in found:
            continue
        inner = read_sheet(course, course.exercise(id))
        problems = [f"{display(inner.path)}:{line}: {text}" for line, text in sorted(set(broken(course, inner)))]
        if problems:
            raise ContentError(tuple(problems))
        _collect(course, inner, (*path, id), found)
        found[id] = inner


def takes_steps_from(course: Course, exercise: Exercise) -> list[Exercise]:
    """The exercises whose steps this one uses, directly or through others: a glance, where `contained` reads."""
    by_id = {each.id: each for each in course.exercises}
    found: dict[str, Exercise] = {}
    waiting = [exercise]
    while waiting:
        path = course.folder(waiting.pop()) / "misconceptions.py"
        named = _IMPORT.findall(read_source(path)) if path.exists() else []
        new = [id for id in named if id in by_id and id not in found]
        found |= {id: by_id[id] for id in new}
        waiting += map(by_id.__getitem__, new)
    return list(found.values())


def text_before(course: Course, sheet: Sheet, inner: Sequence[Sheet]) -> str:
    """What stands before each wrong answer: the model answer, what contained exercises bring, the file's helpers."""
    own = solution_source(course, sheet.exercise).rstrip("\n")
    brought = chain.from_iterable(_brought(course, each) for each in inner)
    return "\n\n\n".join([own, *map(ast.unparse, brought), *map(ast.unparse, sheet.shared)])


def _brought(course: Course, sheet: Sheet) -> Iterator[ast.stmt]:
    """The code of a contained exercise: its model answer without the lesson, then what its wrong answers share."""
    source = solution_source(course, sheet.exercise)
    solution = parse(source, display(course.folder(sheet.exercise) / "solution.py"))
    lesson = ast.get_docstring(solution) is not None
    for node in solution.body[lesson:]:
        if not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            yield node
    yield from sheet.shared


def steps_of(sheet: Sheet, inner: Sequence[Sheet]) -> frozenset[str]:
    """Every name the assembled answer calls, directly or through others; none where there is no such answer."""
    if sheet.assembled is None:
        return frozenset()
    uses: dict[str, set[str]] = {}
    for statement in chain.from_iterable(each.shared for each in (*inner, sheet)):
        read = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        for name in defined(statement):
            uses.setdefault(name, set()).update(read)
    known = uses.keys() | {name for each in inner for name in each.exercise.defines}
    reached, waiting = set[str](), {sheet.assembled.name}
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting |= (uses.get(name, set()) & known) - reached
    return frozenset(reached)


def misplaced(sheet: Sheet, steps: frozenset[str], inner: Sequence[Sheet]) -> Iterator[Problem]:
    """Wrong answers that stand in for nothing, and names that two of the composed files use for different things."""
    defines = sheet.exercise.defines
    for each in sheet.marked:
        name = each.node.name
        if name not in steps and name not in defines:
            which = f"which {sheet.exercise.id} does not define.{did_you_mean(name, [*defines, *steps])}"
            yield each.node.lineno, f"'{each.slug}' stands in for '{name}', {which}"
    first: dict[str, tuple[Sheet, str]] = {}
    for other in (*inner, sheet):
        for statement in other.shared:
            for name in defined(statement):
                place, text = first.setdefault(name, (other, ast.dump(statement)))
                if place is not other and text != ast.dump(statement):
                    both = f"{place.exercise.id} and {other.exercise.id}"
                    yield 1, f"{both} mean different things by '{name}'; give one of them another name"
