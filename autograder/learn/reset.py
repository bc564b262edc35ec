"""Start an exercise again: its stub comes back, and the old attempt stays beside it."""

from __future__ import annotations

from pathlib import Path

from autograder.course.errors import CourseError, display
from autograder.course.files import solution_source
from autograder.course.model import Course, Exercise
from autograder.course.stubs import cut_stub
from autograder.learn.files import free_name, write_whole


def reset(course: Course, exercise: Exercise) -> str:
    """Put the stub back; what was done, in words. Raises CourseError where there is nothing to cut it from."""
    path, stub = course.stub_path(exercise), _stub(course, exercise).encode()
    old = path.read_bytes() if path.exists() else None
    if old == stub:
        return f"{display(path)} is as it was at the beginning."
    kept = _keep(path, old) if old is not None else None
    write_whole(path, stub)
    return f"{display(path)} is new again." + (f" Your attempt is kept as {display(kept)}." if kept else "")


def _keep(path: Path, old: bytes) -> Path:
    kept = free_name(path)
    write_whole(kept, old)
    return kept


def _stub(course: Course, exercise: Exercise) -> str:
    solution = course.folder(exercise) / "solution.py"
    if exercise.kind != "code" or not solution.is_file():
        path = display(course.stub_path(exercise))
        raise CourseError((f"{path}: cannot be made anew here; copy it from where your course came from.",))
    return cut_stub(solution_source(course, exercise), display(solution))
