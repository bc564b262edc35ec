"""The wrong answers of an exercise, each as code that can be run. Reads texts; executes nothing."""

from __future__ import annotations

import ast
import copy

from autograder.course.composition import contained, misplaced, steps_of, text_before
from autograder.course.errors import ContentError, display
from autograder.course.model import Course, Exercise
from autograder.course.sheet import Marked, Sheet, broken, read_sheet
from autograder.records import Misconception


def misconceptions(course: Course, exercise: Exercise) -> tuple[Misconception, ...]:
    """The wrong answers of the exercise's file, in its order; then those of the steps that it takes from others.

    None where the exercise has no such file. Raises ContentError, with every problem of the file, where it breaks the
    contract of docs/authoring.md.
    """
    if not (course.folder(exercise) / "misconceptions.py").exists():
        return ()
    own = read_sheet(course, exercise)
    inner = contained(course, own)
    steps = steps_of(own, inner)
    problems = {*broken(course, own), *misplaced(own, steps, inner)}
    if problems:
        raise ContentError(tuple(f"{display(own.path)}:{line}: {text}" for line, text in sorted(problems)))
    before = text_before(course, own, inner)
    found = [_misconception(course, own, own, each, before) for each in own.marked]
    without = own.assembled.without if own.assembled else ()
    for sheet in reversed(inner):
        fits = (each for each in sheet.marked if each.node.name in steps and each.slug not in without)
        found += [_misconception(course, own, sheet, each, before) for each in fits]
    return tuple(found)


def _misconception(course: Course, own: Sheet, home: Sheet, each: Marked, before: str) -> Misconception:
    family = course.family_of(each.slug)
    assert family
    bare = copy.copy(each.node)
    bare.decorator_list = [decorator for decorator in each.node.decorator_list if decorator is not each.mark]
    step = each.node.name
    return Misconception(
        slug=each.slug,
        family=family.name,
        says=each.says,
        entry=step if own.assembled is None or step in own.exercise.defines else own.assembled.name,
        before=before,
        wrong=f"{ast.unparse(bare)}\n",
        step=step,
        home=home.exercise.id,
        same_as=home.partners()[each.slug],
        alone=each.alone,
        proves=each.proves,
        line=each.node.lineno,
    )
