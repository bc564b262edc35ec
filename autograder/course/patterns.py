"""The patterns of an exercise: what wrong numbers prove where no misconception can be named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias, cast

from autograder.course.authored import authored_module
from autograder.course.errors import ContentError, did_you_mean, display
from autograder.course.files import read_source
from autograder.course.model import Course, Exercise
from autograder.records import Case, Inside, Pattern

Listing: TypeAlias = Callable[[str, tuple[str, ...]], Sequence[Pattern | Inside]]
"""What PATTERNS of an exercise lists, and for whom: the exercises that borrow it, one of the other."""


def patterns(course: Course, exercise: Exercise) -> tuple[Pattern, ...]:
    """What ``PATTERNS`` of the exercise's patterns.py lists, those of other exercises included; none without the file.

    Raises ContentError where the file fails, or names a family or an exercise that does not exist.
    """
    return tuple(gathered(exercise.id, lambda id, borrowers: _listed(course, id, borrowers)))


def pattern_sources(course: Course, exercise: Exercise) -> dict[str, str]:
    """The patterns.py that all of these come from, by the exercise that each belongs to. Raises as `patterns` does."""
    found: dict[str, str] = {}

    def listed(id: str, borrowers: tuple[str, ...]) -> Sequence[Pattern | Inside]:
        if _path(course, id).exists():
            found[id] = read_source(_path(course, id))
        return _listed(course, id, borrowers)

    for _ in gathered(exercise.id, listed):
        pass
    return found


def gathered(exercise: str, listing: Listing, borrowers: tuple[str, ...] = ()) -> Iterator[Pattern]:
    """The patterns of an exercise in their order; in the place of an `Inside` those that it borrows."""
    for each in listing(exercise, borrowers):
        if isinstance(each, Pattern):
            yield each
        else:
            yield from _borrowed(each, gathered(each.exercise, listing, (*borrowers, exercise)))


def _listed(course: Course, exercise: str, borrowers: tuple[str, ...]) -> Sequence[Pattern | Inside]:
    path = _path(course, exercise)
    if not path.exists():
        return ()
    with authored_module(path) as module:
        listed: Sequence[Pattern | Inside] = getattr(module, "PATTERNS", cast(Any, None))
    if problems := list(_broken(course, listed, (*borrowers, exercise))):
        raise ContentError(tuple(f"{display(path)}: {problem}" for problem in problems))
    return listed


def _path(course: Course, exercise: str) -> Path:
    """By name, because patterns may be borrowed of an exercise that this selection of a course leaves out."""
    return course.root / "solutions" / exercise / "patterns.py"


def _borrowed(inside: Inside, theirs: Iterator[Pattern]) -> Iterator[Pattern]:
    read = lru_cache(maxsize=16)(inside.read)  # the borrowed patterns look at the same cases, one after the other
    for pattern in theirs:
        says = f"{inside.says} {pattern.says}".strip()
        claimed = pattern.families if inside.families is None or set(pattern.families) <= set(inside.families) else ()
        yield replace(pattern, shows=_seen_through(read, pattern.shows), says=says, families=claimed)


def _seen_through(
    read: Callable[[Case], Case | None], shows: Callable[[Sequence[Case]], bool]
) -> Callable[[Sequence[Case]], bool]:
    def seen(cases: Sequence[Case]) -> bool:
        inner = [case for case in map(read, cases) if case is not None]
        return any(not case.right for case in inner) and shows(inner)

    return seen


def _broken(course: Course, listed: Any, users: tuple[str, ...]) -> Iterator[str]:
    if not isinstance(listed, (tuple, list)) or not all(isinstance(each, (Pattern, Inside)) for each in listed):
        yield "PATTERNS must be a tuple of Pattern and Inside objects"
        return
    families, exercises = ([each.name for each in course.families], [each.id for each in course.exercises])
    for each in listed:
        if isinstance(each, Inside):
            if each.exercise not in exercises and not _path(course, each.exercise).exists():
                near = did_you_mean(each.exercise, exercises)
                yield f"borrows patterns of '{each.exercise}', which does not exist.{near}"
            elif each.exercise in users:
                yield f"borrows patterns of '{each.exercise}', which borrows from here"
            continue
        if not each.says.strip():
            yield "a pattern does not say what it proves"
        for family in set(each.families) - set(families):
            near = did_you_mean(family, families)
            yield f"a pattern names the family '{family}', which course.yaml does not list.{near}"
