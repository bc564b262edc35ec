"""Read the wrong answers of an exercise from the text of its misconceptions.py. Nothing is executed."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from autograder.course.errors import ContentError, did_you_mean, display
from autograder.course.files import parse, read_source, solution_source
from autograder.course.model import Course, Exercise
from autograder.records import Misconception

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class _Marked:
    """One decorated definition, and what its mark says."""

    node: Definition
    mark: ast.expr
    slug: str
    same_as: tuple[str, ...]


def misconceptions(course: Course, exercise: Exercise) -> tuple[Misconception, ...]:
    """The wrong answers worth naming, in the order of the file; none where the exercise has no such file.

    Raises ContentError, with every problem of the file, where one breaks the contract of docs/authoring.md.
    """
    path = course.folder(exercise) / "misconceptions.py"
    if not path.exists():
        return ()
    problems: list[tuple[int, str]] = []
    tree = parse(read_source(path), display(path))
    marked = list(_marked(tree, problems))
    partners = _partners(marked)
    helpers = map(ast.unparse, _helpers(tree, exercise, problems))
    before = "\n\n\n".join([solution_source(course, exercise).rstrip("\n"), *helpers])
    found = []
    for each in marked:
        node, slug = each.node, each.slug
        says = " ".join((ast.get_docstring(node) or "").split())
        family = course.family_of(slug)
        problems += ((node.lineno, text) for text in _broken(each, says, exercise, partners))
        if family is None:
            near = did_you_mean(slug, [known for family in course.families for known in family.slugs])
            problems.append((node.lineno, f"no family in course.yaml lists '{slug}'.{near}"))
            continue
        bare = copy.copy(node)
        bare.decorator_list = [decorator for decorator in node.decorator_list if decorator is not each.mark]
        source = f"{before}\n\n\n{ast.unparse(bare)}\n"
        found.append(Misconception(slug, family.name, says, node.name, source, partners[slug], node.lineno))
    if problems:
        raise ContentError(tuple(f"{display(path)}:{line}: {text}" for line, text in sorted(set(problems))))
    return tuple(found)


def _marked(tree: ast.Module, problems: list[tuple[int, str]]) -> Iterator[_Marked]:
    for node in tree.body:
        if not isinstance(node, Definition):
            continue
        marks = [decorator for decorator in node.decorator_list if _is_mark(decorator)]
        if not marks:
            continue
        try:
            slug, same_as = _arguments(marks[0])
        except ValueError:
            problems.append((node.lineno, f'{node.name}: write the mark as @misconception("slug", same_as=("other",))'))
            continue
        if len(marks) > 1:
            problems.append((node.lineno, f"{node.name} has two marks; write the function once for each slug"))
        yield _Marked(node, marks[0], slug, same_as)


def _is_mark(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(called, "id", getattr(called, "attr", None)) == "misconception"


def _arguments(mark: ast.expr) -> tuple[str, tuple[str, ...]]:
    """The slug and the partners of a mark. Raises ValueError where they are not written out as text."""
    if not isinstance(mark, ast.Call) or len(mark.args) != 1 or {word.arg for word in mark.keywords} - {"same_as"}:
        raise ValueError
    slug = ast.literal_eval(mark.args[0])
    same_as = ast.literal_eval(mark.keywords[0].value) if mark.keywords else ()
    if not isinstance(same_as, tuple) or not all(isinstance(text, str) and text for text in (slug, *same_as)):
        raise ValueError
    return slug, same_as


def _partners(marked: list[_Marked]) -> dict[str, tuple[str, ...]]:
    """All partners of a slug: where it stands on several functions, what one of them declares holds for the slug."""
    partners: dict[str, dict[str, None]] = {}
    for each in marked:
        partners.setdefault(each.slug, {}).update(dict.fromkeys(each.same_as))
    return {slug: tuple(others) for slug, others in partners.items()}


def _broken(each: _Marked, says: str, exercise: Exercise, partners: dict[str, tuple[str, ...]]) -> Iterator[str]:
    slug, name = each.slug, each.node.name
    if not says:
        yield f"'{slug}' has no docstring, so its author would hear nothing"
    if name not in exercise.defines:
        near = did_you_mean(name, exercise.defines)
        yield f"'{slug}' stands in for '{name}', which {exercise.id} does not define.{near}"
    for other in each.same_as:
        if other == slug:
            yield f"'{slug}' names itself in same_as"
        elif other not in partners:
            yield f"'{slug}' is same_as '{other}', which this file does not have.{did_you_mean(other, partners)}"
        elif slug not in partners[other]:
            yield f"'{slug}' is same_as '{other}', but not the other way round; write it on both"


def _helpers(tree: ast.Module, exercise: Exercise, problems: list[tuple[int, str]]) -> Iterator[ast.stmt]:
    """What all wrong answers of the file share: its imports, and every statement that is not a wrong answer."""
    for index, node in enumerate(tree.body):
        if isinstance(node, Definition):
            if any(map(_is_mark, node.decorator_list)):
                continue
            if node.name in exercise.defines:
                problems.append(
                    (node.lineno, f"'{node.name}' has no @misconception, so it would replace the right one")
                )
        docstring = index == 0 and ast.get_docstring(tree) is not None
        # A __future__ import is only allowed at the top of a file, and here the solution comes first.
        if not docstring and not _is_import_of(node, "autograder", "__future__"):
            yield node


def _is_import_of(node: ast.stmt, *packages: str) -> bool:
    match node:
        case ast.Import(names):
            modules = [alias.name for alias in names]
        case ast.ImportFrom(module):
            modules = [module or ""]
        case _:
            return False
    return any(module.split(".")[0] in packages for module in modules)
