"""Which course and which exercise a learner means by what they typed and where they are."""

from __future__ import annotations

from pathlib import Path

from autograder.course.errors import CourseError, did_you_mean
from autograder.course.load import NoCourse, find_course, load_course
from autograder.course.model import Course, Exercise
from autograder.learn.progress import Progress


def here(target: str | None = None) -> tuple[Course, Progress]:
    """The course of the current folder, and what its learner has done; where there is none, that of a file.

    Raises NoCourse, and CourseError.
    """
    try:
        root = find_course(Path.cwd())
    except NoCourse:
        if target is None or not Path(target).is_file():
            raise
        root = find_course(Path(target).parent)
    course = load_course(root)
    return course, Progress(course)


def find(course: Course, progress: Progress, target: str | None) -> tuple[Exercise, Path]:
    """The exercise and file that the learner means: nothing (what is next), an id or its beginning, or a path.

    Raises CourseError where there is no such exercise.
    """
    if target is None:
        exercise = progress.next_up(course) or course.exercises[0]
        return exercise, course.stub_path(exercise)
    path = Path(target)
    if path.suffix in (".py", ".yaml", ".yml", ".md") or path.parent != Path():
        found = [exercise for exercise in course.exercises if exercise.id == path.stem]
        if not found:
            near = did_you_mean(path.stem, [exercise.id for exercise in course.exercises])
            near = near or " `headcount list` shows them all."
            problem = f"{target}: a file is named after its exercise, and there is no '{path.stem}'.{near}"
            raise CourseError((problem,))
        return found[0], path
    exercise = course.find(target)
    return exercise, course.stub_path(exercise)
