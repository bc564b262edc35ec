"""The mutants of a model answer."""

from __future__ import annotations

import pytest

from autograder.authoring.mutants import mutants
from autograder.course import content
from autograder.course.load import load_course
from tests.conftest import ROOT

SOURCE = '''\
import numpy as np


def share(cake, n):
    """A share of the cake."""
    ### BEGIN SOLUTION
    if n < 1:
        raise ValueError(f"{n} guests")
    piece = cake.cut(n, keep=True)[1:]  # (n,)
    return np.max(piece, axis=-1) - n
    ### END SOLUTION


def eat(cake):
    return cake - 1
'''
LINES = range(7, 11)


@pytest.mark.parametrize(
    ("line", "was", "becomes"),
    [
        (7, "if n < 1:", "if n <= 1:"),
        (7, "if n < 1:", "if not (n < 1):"),
        (7, 'if n < 1: raise ValueError(f"{n} guests")', "pass"),
        (9, "piece = cake.cut(n, keep=True)[1:]", "pass"),
        (9, "piece = cake.cut(n, keep=True)[1:]", "piece = cake.cut(n, keep=False)[1:]"),
        (9, "piece = cake.cut(n, keep=True)[1:]", "piece = cake.cut(n)[1:]"),
        (9, "piece = cake.cut(n, keep=True)[1:]", "piece = cake.cut(n + 1, keep=True)[1:]"),
        (9, "piece = cake.cut(n, keep=True)[1:]", "piece = cake.cut(n, keep=True)[2:]"),
        (9, "piece = cake.cut(n, keep=True)[1:]", "piece = cake.cut(n, keep=True)"),
        (9, "piece = cake.cut(n, keep=True)[1:]", "piece = cake[1:]"),
        (10, "return np.max(piece, axis=-1) - n", "return np.max(piece, axis=-2) - n"),
        (10, "return np.max(piece, axis=-1) - n", "return np.min(piece, axis=-1) - n"),
        (10, "return np.max(piece, axis=-1) - n", "return np.max(piece, axis=-1) + n"),
        (10, "return np.max(piece, axis=-1) - n", "return n - np.max(piece, axis=-1)"),
        (10, "return np.max(piece, axis=-1) - n", "return np.max(cake, axis=-1) - n"),
        (10, "return np.max(piece, axis=-1) - n", "return"),
    ],
)
def test_a_change(line: int, was: str, becomes: str) -> None:
    """Each kind of slip is made, and told by the statement before and after it, without comments."""
    assert (line, was, becomes) in [(each.line, each.was, each.becomes) for each in mutants(SOURCE, LINES)]


def test_mutants_are_programs_that_differ() -> None:
    """Every mutant can be compiled, none is the model answer, none comes twice, and the list is always the same."""
    found = mutants(SOURCE, LINES)
    assert len({each.source for each in found} | {SOURCE}) == len(found) + 1
    for each in found:
        compile(each.source, "mutant", "exec")
    assert found == mutants(SOURCE, LINES)


def test_only_the_learners_lines_change() -> None:
    """What stands outside the marks, texts of errors and docstrings stay as they are."""
    after = SOURCE[SOURCE.index("    ### END SOLUTION") :]
    for each in mutants(SOURCE, LINES):
        assert each.source.startswith(SOURCE[: SOURCE.index("    if n")])
        assert each.source.endswith(after)
        assert each.source.count("ValueError") in (0, 1)


def test_every_exercise_has_many() -> None:
    """At least twenty for each model answer of the course."""
    course = load_course(ROOT)
    counts = {}
    for exercise in course.exercises:
        if exercise.kind == "code":
            source = content.solution_source(course, exercise)
            counts[exercise.id] = len(mutants(source, content.learners_lines(source, exercise.id)))
    assert {id: count for id, count in counts.items() if count < 20} == {}
