"""patterns.py of an exercise: its own patterns, those it borrows, and every breach of the contract named."""

from dataclasses import replace

import pytest

from autograder.course.content import patterns
from autograder.course.errors import ContentError
from autograder.course.model import Course
from autograder.records import Case

OWN = """\
from autograder.records import Pattern

PATTERNS = (
    Pattern(shows=lambda cases: all(case.got["y"] for case in cases), families=("mask",), says="It is masked."),
)
"""
BORROWED = """\
from autograder.records import Case, Inside


def inside(case):
    return Case({}, {}, {"y": case.got["z"]}) if "z" in case.got else None


PATTERNS = (Inside("a1_mask", inside, "Look inside."),)
"""


def write(course: Course, exercise: str, text: str) -> None:
    """Give the exercise this patterns.py."""
    folder = course.root / "solutions" / exercise
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "patterns.py").write_text(text)


def test_an_exercise_without_the_file_has_none(course: Course) -> None:
    """Patterns are optional."""
    assert patterns(course, course.exercise("a1_mask")) == ()


def test_borrowed_patterns_see_what_can_be_read_out(course: Course) -> None:
    """The other exercise's pattern looks at the read-out cases only, and never at none."""
    write(course, "a1_mask", OWN)
    write(course, "b1_look", BORROWED)
    (pattern,) = patterns(course, course.exercise("b1_look"))
    assert (pattern.says, pattern.families) == ("Look inside. It is masked.", ("mask",))
    assert pattern.shows([Case({}, {}, {"z": True}), Case({}, {}, {})])
    assert not pattern.shows([Case({}, {}, {"z": False})])
    assert not pattern.shows([Case({}, {}, {})])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (OWN.replace('"mask"', '"masks"'), "a pattern names the family 'masks', which course.yaml does not list."),
        (OWN.replace('"It is masked."', '" "'), "a pattern does not say what it proves"),
        (BORROWED.replace("a1_mask", "a1_musk"), "borrows patterns of 'a1_musk', which does not exist."),
        (BORROWED, "borrows patterns of 'a1_mask', which borrows from here"),
        ("PATTERNS = [3]", "PATTERNS must be a tuple of Pattern and Inside objects"),
        ("1 / 0", "the file raised ZeroDivisionError: division by zero"),
    ],
)
def test_a_broken_file_is_named(course: Course, text: str, problem: str) -> None:
    """One line says which file, and what is wrong in it."""
    write(course, "a1_mask", text)
    with pytest.raises(ContentError) as caught:
        patterns(course, course.exercise("a1_mask"))
    assert problem in str(caught.value)
    assert "patterns.py" in str(caught.value)


def test_patterns_are_borrowed_of_exercises_left_out(course: Course) -> None:
    """A course cut down to one exercise keeps that exercise's patterns."""
    write(course, "a1_mask", OWN)
    write(course, "b1_look", BORROWED)
    alone = replace(course, exercises=(course.exercise("b1_look"),))
    assert [pattern.families for pattern in patterns(alone, alone.exercise("b1_look"))] == [("mask",)]
