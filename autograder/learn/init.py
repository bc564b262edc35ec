"""`headcount init`: lay the course that came with this installation out in a folder of the learner's own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import autograder
from autograder import notebooks
from autograder.blank import blank
from autograder.course.errors import CourseError
from autograder.course.load import COURSE_FILE, load_course
from autograder.course.model import Course
from autograder.files import write_whole

_PACKAGE = Path(autograder.__file__).parent
#: Where a wheel has the course, and where a clone has it.
SOURCES = (_PACKAGE / "carried", _PACKAGE.parent)
#: What belongs to it besides course.yaml and exercises/, which is made anew from solutions/.
PARTS = ("solutions/**/*", "checkpoints/*.npz", "docs/learner.md", "docs/lessons/*.md", "docs/lessons/pictures/*")


def init(folder: Path) -> Course:
    """The course, laid out in `folder`, which is made if missing.

    Raises CourseError where the folder holds anything, and where this installation carries no course.
    """
    source = next((place for place in SOURCES if (place / COURSE_FILE).is_file()), None)
    if source is None:
        raise CourseError(("This installation carries no course; use a clone of the project.",))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        what = "is not empty" if folder.is_dir() else "is a file"
        raise CourseError((f"{folder}: {what}, and nothing there is touched; name a new folder.",))
    for path in _files(source):
        goal = folder / path.relative_to(source)
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, goal)
    course = load_course(source)
    (folder / "exercises").mkdir()
    for exercise in course.exercises:
        write_whole(folder / "exercises" / exercise.file, [blank(course, exercise).encode()])
    for notebook in notebooks.build(course):
        place = folder / notebooks.folder(course).relative_to(course.root) / f"{notebook.name}.ipynb"
        place.parent.mkdir(exist_ok=True)
        write_whole(place, [notebook.text.encode()])
    shutil.copyfile(source / COURSE_FILE, folder / COURSE_FILE)  # last, so that half a course is none
    return course


def _files(source: Path) -> Iterator[Path]:
    found = (path for part in PARTS for path in sorted(source.glob(part)))
    return (path for path in found if path.is_file() and "__pycache__" not in path.parts)
