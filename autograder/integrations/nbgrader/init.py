"""`headcount nbgrader init`: a course folder with which nbgrader's own commands work."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from autograder import notebooks
from autograder.course.errors import CourseError
from autograder.course.model import Course
from autograder.files import write_whole
from autograder.integrations.jupyter import COURSE
from autograder.integrations.nbgrader.gradebook import register
from autograder.integrations.nbgrader.place import CONFIG, place_at, require_nbgrader

_TEMPLATE = r'''"""Written by `headcount nbgrader init`; yours to change."""

import os

# Cells that check an answer find the course here when nbgrader runs them.
os.environ.setdefault("{variable}", {course!r})

c = get_config()
c.CourseDirectory.course_id = {course_id!r}
{db}
# The notebooks hold no solutions, so there are none to clear: nbgrader would clear the answers' cells altogether.
c.ClearSolutions.enabled = False
# How files in an LMS's archive are called, for `nbgrader zip_collect`: the student, anything, the notebook.
c.FileNameCollectorPlugin.named_regexp = r"(?:.*/)?(?P<student_id>[^_/]+)_(?:.*_)?(?P<file_id>{names})(?:-\d+)?(?:\.|$)"
# Commas, quotes and formulas in names stay what they are.
c.ExportApp.plugin_class = "autograder.integrations.nbgrader.exporter.QuotedCsv"
'''


def init(course: Course, root: Path, db_url: str | None) -> list[str]:
    """Make the folder, or bring its source notebooks up to date; the names of its assignments.

    A configuration that is there already stays as it is. Raises CourseError.
    """
    require_nbgrader()
    if root.exists() and not root.is_dir():
        raise CourseError((f"{root}: is a file; name a folder.",))
    if root.is_dir() and any(root.iterdir()) and not (root / CONFIG).is_file():
        raise CourseError((f"{root}: is a folder with something else in it; name a new one.",))
    if root.resolve() == course.root.resolve():
        raise CourseError((f"{root}: is the course itself, with its solutions; name another folder.",))
    root.mkdir(parents=True, exist_ok=True)
    (root / "submitted").mkdir(exist_ok=True)
    books = list(notebooks.build(course))
    if not (root / CONFIG).exists():
        write_whole(root / CONFIG, [_config(course, db_url, [book.name for book in books]).encode()])
    place = place_at(root, db_url)
    for book in books:
        path = place.source(book.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, [book.text.encode()])
    register(course, place, books)
    return [book.name for book in books]


def _config(course: Course, db_url: str | None, names: Sequence[str]) -> str:
    db = f"c.CourseDirectory.db_url = {db_url!r}\n" if db_url else ""
    course_id = re.sub(r"\W+", "_", course.title.lower()).strip("_") or "course"
    root = str(course.root.resolve())
    return _TEMPLATE.format(variable=COURSE, course=root, course_id=course_id, db=db, names="|".join(names))
