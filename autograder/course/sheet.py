"""One misconceptions.py, cut apart by its text: wrong answers, what they share, and where it takes steps from."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast, get_args

from autograder.course.errors import did_you_mean, display
from autograder.course.files import parse, read_source
from autograder.course.model import Course, Exercise
from autograder.records import Proof

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Problem: TypeAlias = tuple[int, str]
"""A line of the file, and what is wrong there."""


@dataclass(frozen=True)
class Marked:
    """One definition marked as a misconception, and what its mark says."""

    node: Definition
    mark: ast.expr
    slug: str
    same_as: tuple[str, ...]
    alone: bool
    proves: Proof

    @property
    def says(self) -> str:
        """The docstring on one line."""
        return " ".join((ast.get_docstring(self.node) or "").split())


@dataclass(frozen=True)
class Assembled:
    """The model answer put together from steps; `without` lists inherited slugs that mean nothing here."""

    name: str
    without: tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """What one misconceptions.py holds, in the order of the file."""

    exercise: Exercise
    path: Path
    marked: tuple[Marked, ...]
    shared: tuple[ast.stmt, ...]
    """Imports, helpers and the assembled answer: every statement that is not a wrong answer."""
    imports: tuple[str, ...]
    """Ids of the exercises it takes steps from."""
    assembled: Assembled | None
    problems: tuple[Problem, ...]

    def partners(self) -> dict[str, tuple[str, ...]]:
        """All twins of a slug: where it stands on several functions, what one of them declares holds for the slug."""
        partners: dict[str, dict[str, None]] = {}
        for each in self.marked:
            partners.setdefault(each.slug, {}).update(dict.fromkeys(each.same_as))
        return {slug: tuple(others) for slug, others in partners.items()}


def read_sheet(course: Course, exercise: Exercise) -> Sheet:
    """Cut the misconceptions.py of an exercise apart. Raises ContentError where it is missing or not Python."""
    path = course.folder(exercise) / "misconceptions.py"
    tree = parse(read_source(path), display(path))
    ids = {each.id for each in course.exercises}
    problems: list[Problem] = []
    marked, shared, imports = [], [], []
    assembled = None
    for index, node in enumerate(tree.body):
        if isinstance(node, Definition) and (mark := _mark(node, "misconception", problems)):
            try:
                marked.append(Marked(node, mark, *_arguments(mark)))
            except ValueError:
                form = '@misconception("slug", same_as=("other",), proves="family")'
                problems.append((node.lineno, f"{node.name}: write the mark as {form}"))
            continue
        if isinstance(node, Definition) and (mark := _mark(node, "assembled", problems)):
            if assembled:
                problems.append((node.lineno, f"{assembled.name} is assembled already; one answer is enough"))
            try:
                assembled = Assembled(node.name, _without(mark))
            except ValueError:
                form = '@assembled or @assembled(without=("slug",))'
                problems.append((node.lineno, f"{node.name}: write the mark as {form}"))
            node.decorator_list.remove(mark)
        if isinstance(node, ast.ImportFrom) and node.module in ids:
            imports.append(node.module)
        # A __future__ import is only allowed at the top of a file, and here the solution comes first.
        elif not (index == 0 and ast.get_docstring(tree)) and not _is_import_of(node, "autograder", "__future__"):
            shared.append(node)
    return Sheet(exercise, path, tuple(marked), tuple(shared), tuple(imports), assembled, tuple(problems))


def broken(course: Course, sheet: Sheet) -> Iterator[Problem]:
    """What of the contract of docs/authoring.md this sheet breaks, apart from the names its wrong answers stand for."""
    yield from sheet.problems
    defines = sheet.exercise.defines
    for node in sheet.shared:
        if isinstance(node, Definition) and node.name in defines and not _is(sheet.assembled, node.name):
            yield node.lineno, f"'{node.name}' has no @misconception, so it would replace the right one"
    partners = sheet.partners()
    for each in sheet.marked:
        slug = each.slug
        if not each.says:
            yield each.node.lineno, f"'{slug}' has no docstring, so its author would hear nothing"
        if course.family_of(slug) is None:
            near = did_you_mean(slug, [known for family in course.families for known in family.slugs])
            yield each.node.lineno, f"no family in course.yaml lists '{slug}'.{near}"
        for problem in _broken_twins(slug, each.same_as, partners):
            yield each.node.lineno, problem


def defined(statement: ast.stmt) -> Iterator[str]:
    """The names that a top-level statement gives a meaning, imports left out."""
    if isinstance(statement, Definition):
        yield statement.name
    for target in _targets(statement):
        yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _targets(statement: ast.stmt) -> Iterable[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, (ast.AnnAssign, ast.AugAssign)) else []


def _is(assembled: Assembled | None, name: str) -> bool:
    return assembled is not None and assembled.name == name


def _mark(node: Definition, name: str, problems: list[Problem]) -> ast.expr | None:
    """The decorator of that name, if there is one."""
    marks = [decorator for decorator in node.decorator_list if _called(decorator) == name]
    if len(marks) > 1:
        problems.append((node.lineno, f"{node.name} has two marks; write the function once for each slug"))
    return marks[0] if marks else None


def _called(decorator: ast.expr) -> str | None:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(called, "id", getattr(called, "attr", None))


def _arguments(mark: ast.expr) -> tuple[str, tuple[str, ...], bool, Proof]:
    """Slug, twins, loneliness and proof of a mark. Raises ValueError where they are not written out."""
    if not isinstance(mark, ast.Call) or len(mark.args) != 1:
        raise ValueError
    slug, words = ast.literal_eval(mark.args[0]), _keywords(mark, "same_as", "alone", "proves")
    alone, proves = words.get("alone", False), words.get("proves", "")
    if not isinstance(slug, str) or not slug or not isinstance(alone, bool) or proves not in get_args(Proof):
        raise ValueError
    return slug, _slugs(words.get("same_as", ())), alone, cast(Proof, proves)


def _without(mark: ast.expr) -> tuple[str, ...]:
    """The slugs an assembled answer cannot have. Raises ValueError where they are not written out."""
    if not isinstance(mark, ast.Call):
        return ()
    if mark.args:
        raise ValueError
    return _slugs(_keywords(mark, "without").get("without", ()))


def _keywords(mark: ast.Call, *known: str) -> dict[str, object]:
    words = {word.arg or "**": ast.literal_eval(word.value) for word in mark.keywords}
    if not words.keys() <= {*known}:
        raise ValueError
    return words


def _slugs(value: object) -> tuple[str, ...]:
    if not isinstance(value, tuple) or not all(isinstance(slug, str) and slug for slug in value):
        raise ValueError
    return value


def _broken_twins(slug: str, same_as: tuple[str, ...], partners: dict[str, tuple[str, ...]]) -> Iterator[str]:
    for other in same_as:
        if other == slug:
            yield f"'{slug}' names itself in same_as"
        elif other not in partners:
            yield f"'{slug}' is same_as '{other}', which this file does not have.{did_you_mean(other, partners)}"
        elif slug not in partners[other]:
            yield f"'{slug}' is same_as '{other}', but not the other way round; write it on both"


def _is_import_of(node: ast.stmt, *packages: str) -> bool:
    match node:
        case ast.Import(names):
            modules = [alias.name for alias in names]
        case ast.ImportFrom(module):
            modules = [module or ""]
        case _:
            return False
    return any(module.split(".")[0] in packages for module in modules)
