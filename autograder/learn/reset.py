"""Start an exercise again: its file comes back as it was, and the old attempt stays beside it."""

from __future__ import annotations

from autograder.blank import blank
from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.files import write_whole
from autograder.learn.files import keep_beside


def reset(course: Course, exercise: Exercise) -> str:
    """Put the stub, or the sheet of a quiz, back; what was done, in words. Raises CourseError without solutions/."""
    path = course.stub_path(exercise)
    if course.released or not course.folder(exercise).is_dir():
        raise CourseError((f"{display(path)}: cannot be made anew here; copy it from where your course came from.",))
    stub = blank(course, exercise).encode()
    old = path.read_bytes() if path.exists() else None
    if old == stub:
        return f"{display(path)} is as it was at the beginning."
    kept = keep_beside(path, old) if old is not None else None
    write_whole(path, [stub])
    return f"{display(path)} is new again." + (f" Your attempt is kept as {display(kept)}." if kept else "")
