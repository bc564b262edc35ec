"""Looking things up in a course."""

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.course.errors import ContentError, CourseError
from autograder.course.model import Course, Late, Limits, ReadyMade


def test_exercise_by_id(course: Course) -> None:
    """An exercise is found by its id."""
    assert course.exercise("a1_mask").title == "Who may look where"


def test_unknown_exercise_suggests_the_nearest(course: Course) -> None:
    """An id that does not exist is answered with the nearest one."""
    with pytest.raises(CourseError) as caught:
        course.exercise("mask")
    assert str(caught.value) == "There is no exercise 'mask' in this course. Did you mean 'a1_mask'?"


def test_unknown_exercise_without_a_neighbour(course: Course) -> None:
    """Nothing is suggested where nothing is near."""
    with pytest.raises(CourseError) as caught:
        course.exercise("zzz")
    assert str(caught.value) == "There is no exercise 'zzz' in this course. `headcount list` shows them all."


def test_family_of_a_slug(course: Course) -> None:
    """A slug leads to the one family that lists it, and an unknown slug to none."""
    family = course.family_of("mask-missing")
    assert family is not None
    assert (family.name, family.says) == ("mask", "The mask hides the wrong tokens.")
    assert course.family_of("mask-forgotten") is None


def test_paths(course: Course, root: Path) -> None:
    """Both sides of an exercise lie in the folder of the course."""
    exercise = course.exercise("a1_mask")
    assert course.folder(exercise) == root / "solutions" / "a1_mask"
    assert course.stub_path(exercise) == root / "exercises" / "a1_mask.py"


def test_limits_default_to_those_of_the_course(course: Course) -> None:
    """An exercise without limits of its own runs under those of the course."""
    assert course.limits_of(course.exercise("a1_mask")) == course.limits == Limits()


RULE = Late("2026-03-02T18:00Z", 15, 10.0, 50.0, {"ada": "2026-03-09T18:00Z"})


def test_late_of_an_exercise_without_a_time_of_its_own(course: Course) -> None:
    """The rule of the course holds, or none where the course has none."""
    exercise = course.exercise("a1_mask")
    assert course.late_of(exercise) is None
    assert replace(course, late=RULE).late_of(exercise) == RULE


def test_late_of_an_exercise_with_a_time_of_its_own(course: Course) -> None:
    """Only the due time changes; where the course has no rule, being late is seen and costs nothing."""
    exercise = replace(course.exercise("a1_mask"), due="2026-03-05T18:00Z")
    assert replace(course, late=RULE).late_of(exercise) == replace(RULE, due="2026-03-05T18:00Z")
    assert course.late_of(exercise) == Late("2026-03-05T18:00Z")


def test_ready_made_of_an_exercise(course: Course) -> None:
    """An exercise may change the policy, never the names."""
    names = ("argmax", "argmin")
    exercise = course.exercise("a1_mask")
    course = replace(course, ready_made=ReadyMade("flag", names))
    assert course.ready_made_of(exercise) == ReadyMade("flag", names)
    assert course.ready_made_of(replace(exercise, ready_made="allow")) == ReadyMade("allow", names)
    assert course.ready_made_of(replace(exercise, ready_made="forbid")) == ReadyMade("forbid", names)


def test_an_error_lists_every_problem_on_its_line() -> None:
    """The text of an error is its problems, one a line, and one except clause catches both kinds."""
    error = ContentError(("first", "second"))
    assert str(error) == "first\nsecond"
    assert isinstance(error, CourseError)
