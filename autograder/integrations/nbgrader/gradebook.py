"""nbgrader's gradebook: what it has to know of the notebooks, and the connection to it."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from autograder.course.errors import CourseError
from autograder.course.model import Course
from autograder.integrations.nbgrader.place import Place
from autograder.notebooks import Notebook


@contextmanager
def opened(place: Place) -> Iterator[Any]:
    """nbgrader's own `Gradebook`, which makes its tables where there are none. Raises CourseError."""
    from nbgrader.api import Gradebook
    from sqlalchemy.exc import ArgumentError, DBAPIError, SAWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # of nbgrader's own making
        try:
            with Gradebook(place.db_url, place.course_id or "default_course") as gradebook:
                yield gradebook
        except (ArgumentError, DBAPIError, ModuleNotFoundError) as error:
            said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
            raise CourseError((f"{_without_password(place.db_url)}: the gradebook cannot be used: {said}",)) from None


def register(course: Course, place: Place, books: Sequence[Notebook]) -> None:
    """Tell the gradebook every assignment and every cell that it does not know yet, as generate_assignment does."""
    with opened(place) as gradebook:
        known = {(book.assignment.name, book.name) for each in gradebook.assignments for book in each.notebooks}
        for book in books:
            due = earliest_due(course, book)
            gradebook.update_or_create_assignment(book.name, course_id=gradebook.course_id, duedate=due)
            if (book.name, book.name) not in known:
                _register(gradebook, book)


def _register(gradebook: Any, book: Notebook) -> None:
    from nbformat import reads
    from nbgrader.utils import compute_checksum, is_grade, is_locked, is_solution

    read = reads(book.text, 4)
    gradebook.add_notebook(book.name, book.name, kernelspec=json.dumps(read.metadata.kernelspec))
    for cell in read.cells:
        if "nbgrader" not in cell.metadata:
            continue
        name = cell.metadata.nbgrader.grade_id
        place = (name, book.name, book.name)
        if is_grade(cell):
            points = float(cell.metadata.nbgrader.points)
            gradebook.add_grade_cell(*place, max_score=points, cell_type=cell.cell_type)
        if is_solution(cell):
            gradebook.add_solution_cell(*place)
        told = {"cell_type": cell.cell_type, "locked": is_locked(cell), "source": cell.source}
        gradebook.add_source_cell(*place, checksum=compute_checksum(cell), **told)


def earliest_due(course: Course, book: Notebook) -> datetime | None:
    """When the first exercise of a notebook is due, as nbgrader keeps times: in UTC, without saying so."""
    times = [datetime.fromisoformat(late.due) for each in book.exercises if (late := course.late_of(each))]
    return min(times).astimezone(UTC).replace(tzinfo=None) if times else None


def _without_password(url: str) -> str:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "--db"
