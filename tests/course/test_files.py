"""Reading the texts of an exercise's folder."""

import pytest

from autograder.course.content import driver_source, solution_source
from autograder.course.errors import ContentError
from autograder.course.model import Course


def test_texts(course: Course) -> None:
    """Model answer and driver come back as they are written."""
    exercise = course.exercise("a1_mask")
    course.folder(exercise).mkdir(parents=True)
    (course.folder(exercise) / "solution.py").write_text("x = 1\n")
    assert solution_source(course, exercise) == "x = 1\n"
    assert driver_source(course, exercise) is None
    (course.folder(exercise) / "driver.py").write_text("def drive(): ...\n")
    assert driver_source(course, exercise) == "def drive(): ...\n"


def test_missing_solution(course: Course) -> None:
    """A missing model answer is named by its path."""
    with pytest.raises(ContentError) as caught:
        solution_source(course, course.exercise("a1_mask"))
    assert str(caught.value) == "solutions/a1_mask/solution.py: there is no such file"


def test_wrong_encoding(course: Course) -> None:
    """A file in another encoding is refused with what to do."""
    exercise = course.exercise("a1_mask")
    course.folder(exercise).mkdir(parents=True)
    (course.folder(exercise) / "solution.py").write_bytes(b"# caf\xe9\n")
    with pytest.raises(ContentError) as caught:
        solution_source(course, exercise)
    assert str(caught.value) == "solutions/a1_mask/solution.py: is not UTF-8 text; save the file with that encoding"


def test_unreadable_file(course: Course) -> None:
    """What the system says about a file that cannot be read is passed on."""
    exercise = course.exercise("a1_mask")
    (course.folder(exercise) / "driver.py").mkdir(parents=True)
    with pytest.raises(ContentError) as caught:
        driver_source(course, exercise)
    assert str(caught.value) == "solutions/a1_mask/driver.py: cannot be read (Is a directory)"
