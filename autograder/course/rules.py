"""What has to agree inside a course.yaml beyond its shape: names that refer to each other, sums, order.

Every rule looks at the data as written and skips what has the wrong type, because `autograder.course.schema` reports
that. So one pass over a broken file finds everything.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeAlias, TypeGuard

from autograder.course.errors import did_you_mean
from autograder.course.schema import field_name, subject
from autograder.course.tree import Loc, Problem, Tree

_ID = re.compile(r"[a-z][0-9]+_[a-z0-9_]+")
_HINTS = 3
_HUGE = 1e12
_CODE_NEEDS = ("library", "defines", "checks")
_QUIZ_NEEDS = ("checks",)
_TEXT_NEEDS = ("checks", "words")
_LACKS = {"code": ("words",), "quiz": ("library", "defines", "words"), "text": ("library", "defines")}
_A = {"code": "a code exercise", "quiz": "a quiz", "text": "a text"}
_PART = {"quiz": "question", "text": "criterion"}

Entry: TypeAlias = tuple[Loc, dict[str, Any]]


def cross_check(tree: Tree) -> list[Problem]:
    """Everything in the tree that contradicts itself, in no particular order."""
    entries = entries_of(tree)
    problems = [*_blanks(tree, (), tree.data), *_ids(tree, entries), *_order(tree, entries), *_slugs(tree)]
    problems += amounts(tree, ("limits",), tree.data.get("limits"))
    for loc, entry in entries:
        problems += [*_stage(tree, loc, entry), *_numbers(tree, loc, entry), *_checks(tree, loc, entry)]
        problems += _strange(tree, loc, entry)
        if entry.get("kind") == "code":
            problems += [*_written(tree, loc, entry, _CODE_NEEDS), *_code(tree, loc, entry)]
        if entry.get("kind") == "quiz":
            problems += [*_written(tree, loc, entry, _QUIZ_NEEDS), *_quiz(tree, loc, entry)]
        if entry.get("kind") == "text":
            problems += [*_written(tree, loc, entry, _TEXT_NEEDS), *_words(tree, loc, entry)]
    return problems


def entries_of(tree: Tree) -> list[Entry]:
    """The exercises that are mappings, each with its place."""
    written = enumerate(_items(tree.data.get("exercises")))
    return [(("exercises", index), entry) for index, entry in written if isinstance(entry, dict)]


def amounts(tree: Tree, loc: Loc, values: Any, *, or_zero: bool = False) -> Iterator[Problem]:
    """The numbers among these values of the mapping at `loc` that are negative, zero or beyond all reason."""
    for key, value in values.items() if isinstance(values, dict) else ():
        if not is_number(value):
            continue
        about, rest = subject(tree.data, (*loc, key))
        if value < 0 or (value == 0 and not or_zero):
            least = "cannot be less than 0" if or_zero else "must be more than 0"
            yield tree.problem((*loc, key), f"{about}: {field_name(rest)} {least}")
        elif value >= _HUGE:
            yield tree.problem((*loc, key), f"{about}: {field_name(rest)} is far too large")


def texts(loc: Loc, values: Any) -> Iterator[tuple[Loc, str]]:
    """What is text in the list at `loc`, each with its place."""
    return (((*loc, index), value) for index, value in enumerate(_items(values)) if isinstance(value, str))


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a value is written as a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _blanks(tree: Tree, loc: Loc, value: Any) -> Iterator[Problem]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _blanks(tree, (*loc, key), item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _blanks(tree, (*loc, index), item)
    elif isinstance(value, str) and not value.strip():
        about, rest = subject(tree.data, loc)
        yield tree.problem(loc, f"{about}: {field_name(rest) or 'the text'} is empty")


def _ids(tree: Tree, entries: list[Entry]) -> Iterator[Problem]:
    first: dict[str, Loc] = {}
    for loc, entry in entries:
        id = entry.get("id")
        if not isinstance(id, str):
            continue
        if not _ID.fullmatch(id):
            form = "a letter, a number and a name in small letters, as in 'k1_scale_recipe'"
            yield tree.problem((*loc, "id"), f"the id '{id}' must be {form}")
        if id in first:
            line = tree.problem((*first[id], "id"), "").line
            yield tree.problem((*loc, "id"), f"the id '{id}' is used twice; the first is on line {line}")
        first.setdefault(id, loc)


def _order(tree: Tree, entries: list[Entry]) -> Iterator[Problem]:
    places = {entry["id"]: (loc, entry) for loc, entry in reversed(entries) if isinstance(entry.get("id"), str)}
    for loc, entry in entries:
        about, _ = subject(tree.data, loc)
        for place, need in texts((*loc, "needs"), entry.get("needs")):
            if need not in places:
                near = did_you_mean(need, places)
                yield tree.problem(place, f"{about} needs '{need}', which does not exist.{near}")
    graph = {id: [need for _, need in texts((), entry.get("needs"))] for id, (_, entry) in places.items()}
    for circle in _circles(graph, order=[entry.get("id") for _, entry in entries]):
        loc, _ = places[circle[0]]
        yield tree.problem((*loc, "needs"), f"no exercise of this circle can come first: {_needing(circle)}")


def _stage(tree: Tree, loc: Loc, entry: dict[str, Any]) -> Iterator[Problem]:
    stages, letter = tree.data.get("stages"), entry.get("stage")
    if isinstance(stages, dict) and isinstance(letter, str) and letter not in stages:
        about, _ = subject(tree.data, loc)
        known = ", ".join(stages)
        yield tree.problem((*loc, "stage"), f"{about} is in stage '{letter}', which does not exist; there are {known}")


def _numbers(tree: Tree, loc: Loc, entry: dict[str, Any]) -> Iterator[Problem]:
    yield from amounts(tree, loc, {key: entry.get(key) for key in ("points", "minutes")})
    yield from amounts(tree, (*loc, "limits"), entry.get("limits"))
    checks = entry.get("checks")
    if not isinstance(checks, dict) or not checks:
        return
    for name, check in checks.items():
        if isinstance(check, dict):
            yield from amounts(tree, (*loc, "checks", name), {"points": check.get("points")}, or_zero=True)
    points: Any = entry.get("points")
    parts: list[Any] = [check.get("points") if isinstance(check, dict) else None for check in checks.values()]
    known = all(is_number(each) and abs(each) < _HUGE for each in (points, *parts))
    if known and not math.isclose(sum(parts), points):
        about, _ = subject(tree.data, loc)
        yield tree.problem((*loc, "points"), f"{about} has {points:g} points, but its checks add up to {sum(parts):g}")


def _checks(tree: Tree, loc: Loc, entry: dict[str, Any]) -> Iterator[Problem]:
    checks = entry.get("checks")
    if not isinstance(checks, dict):
        return
    graph: dict[str, list[str]] = {}
    for name, check in checks.items():
        place = (*loc, "checks", name)
        about, _ = subject(tree.data, place)
        needs = list(texts((*place, "needs"), check.get("needs") if isinstance(check, dict) else None))
        graph[name] = [need for _, need in needs]
        for where, need in needs:
            if need not in checks:
                near = did_you_mean(need, checks)
                yield tree.problem(where, f"{about} needs check '{need}', which does not exist.{near}")
    for circle in _circles(graph, order=list(checks)):
        about, _ = subject(tree.data, loc)
        text = f"{about}: no check of this circle can come first: {_needing(circle)}"
        yield tree.problem((*loc, "checks", circle[0], "needs"), text)


def _written(tree: Tree, loc: Loc, entry: dict[str, Any], keys: Iterable[str]) -> Iterator[Problem]:
    about, _ = subject(tree.data, loc)
    for key in keys:
        if entry.get(key, []) in ([], {}):
            yield tree.problem((*loc, key), f"{about} needs '{key}', as every {entry['kind']} exercise does")
    hints = entry.get("hints", [])
    if isinstance(hints, list) and len(hints) != _HINTS:
        three = "exactly three are needed: where to look, the idea, the shape of the line"
        yield tree.problem((*loc, "hints"), f"{about} has {len(hints)} hints; {three}")


def _code(tree: Tree, loc: Loc, entry: dict[str, Any]) -> Iterator[Problem]:
    about, _ = subject(tree.data, loc)
    for place, name in texts((*loc, "defines"), entry.get("defines")):
        if not name.isidentifier():
            yield tree.problem(place, f"{about} defines '{name}', which cannot be a name in Python")


def _strange(tree: Tree, loc: Loc, entry: dict[str, Any]) -> Iterator[Problem]:
    """Keys that an exercise of this kind does not have."""
    about, _ = subject(tree.data, loc)
    kind = str(entry.get("kind"))
    for key in _LACKS.get(kind, ()):
        if key in entry:
            yield tree.problem((*loc, key), f"{about} is {_A[kind]}, which has no '{key}'; leave it out", at_key=True)
    checks = entry.get("checks") if kind in _PART else None
    for name, check in checks.items() if isinstance(checks, dict) else ():
        if isinstance(check, dict) and "needs" in check:
            place = (*loc, "checks", name, "needs")
            words = f"{_PART[kind]} '{name}' of {about} counts alone; leave out 'needs'"
            yield tree.problem(place, words, at_key=True)


def _words(tree: Tree, loc: Loc, entry: dict[str, Any]) -> Iterator[Problem]:
    match entry.get("words"):
        case [int(least), int(most)] if not 0 < least <= most < _HUGE:
            fault = f"cannot be [{least}, {most}]"
        case [_, _] | None:  # no whole numbers, or nothing: told as a matter of shape
            return
        case _:
            fault = "must be two numbers"
    about, _ = subject(tree.data, loc)
    yield tree.problem((*loc, "words"), f"{about}: 'words' {fault}; write the fewest and the most, as in [120, 200]")


def _quiz(tree: Tree, loc: Loc, entry: dict[str, Any]) -> Iterator[Problem]:
    about, _ = subject(tree.data, loc)
    checks = entry.get("checks")
    for name in checks if isinstance(checks, dict) else ():
        if not name.isidentifier() or name.startswith("_"):
            fault = "cannot be the name of a function in quiz.py"
            yield tree.problem((*loc, "checks", name), f"question '{name}' of {about} {fault}", at_key=True)


def _slugs(tree: Tree) -> Iterator[Problem]:
    families = tree.data.get("families")
    owners: dict[str, str] = {}
    for name, family in families.items() if isinstance(families, dict) else ():
        slugs = family.get("slugs") if isinstance(family, dict) else None
        for place, slug in texts(("families", name, "slugs"), slugs):
            if slug in owners:
                twice = "twice" if owners[slug] == name else f"and in family '{owners[slug]}'"
                yield tree.problem(place, f"'{slug}' is in family '{name}' {twice}; every slug belongs to one family")
            owners.setdefault(slug, name)


def _circles(graph: dict[str, list[str]], order: list[Any]) -> Iterator[list[str]]:
    """Circles of needs until none is left, each from its first member in `order` on to what that one needs."""
    graph = {name: [need for need in needs if need in graph] for name, needs in graph.items()}
    while True:
        try:
            TopologicalSorter(graph).prepare()
            return
        except CycleError as error:
            circle = list(reversed(error.args[1]))[1:]
        start = min(range(len(circle)), key=lambda index: order.index(circle[index]))
        circle = circle[start:] + circle[:start]
        yield circle
        needed = circle[1 % len(circle)]
        graph[circle[0]] = [need for need in graph[circle[0]] if need != needed]


def _needing(circle: list[str]) -> str:
    return " needs ".join(f"'{name}'" for name in (*circle, circle[0]))


def _items(values: Any) -> Iterable[Any]:
    return values if isinstance(values, list) else ()
