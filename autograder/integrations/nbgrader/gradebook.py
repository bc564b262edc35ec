"""nbgrader's gradebook: the connection to it, and what it has to know of the notebooks.

Its tables are read as they are and written to directly. nbgrader's own code, which takes seconds to import, is needed
once: to make the tables and tell them the cells.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.course.errors import CourseError
from autograder.course.model import Course
from autograder.integrations.nbgrader.place import Place
from autograder.notebooks import Notebook

_TABLES = (
    "assignment", "notebook", "base_cell", "student", "submitted_assignment", "submitted_notebook", "grade", "comment",
)  # fmt: skip


@dataclass(frozen=True)
class Gradebook:
    """A connection within one transaction, and the tables by name."""

    connection: Any
    tables: dict[str, Any]

    def rows(self, asked: Any) -> list[Any]:
        """What the gradebook answers."""
        return list(self.connection.execute(asked))


@contextmanager
def opened(place: Place) -> Iterator[Gradebook]:
    """The gradebook, for one transaction. Raises CourseError where it cannot be used, or lacks a table."""
    from sqlalchemy import Column, Interval, MetaData, Table, create_engine

    with _told(place):
        engine = create_engine(place.db_url)
        try:
            with engine.begin() as connection:
                metadata = MetaData()
                # SQLite has no intervals, so what a column of them is has to be said
                Table("submitted_assignment", metadata, Column("extension", Interval()), autoload_with=connection)
                metadata.reflect(connection, only=list(_TABLES))
                yield Gradebook(connection, dict(metadata.tables))
        finally:
            engine.dispose()


@contextmanager
def _told(place: Place) -> Iterator[None]:
    """Turn what a database has to complain about into a line for a person."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (SQLAlchemyError, ModuleNotFoundError) as error:
        said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        raise CourseError((f"{_without_password(place.db_url)}: the gradebook cannot be used: {said}",)) from None


def register(course: Course, place: Place, books: Sequence[Notebook]) -> None:
    """Tell the gradebook every assignment and every cell that it does not know yet, as generate_assignment does.

    Raises CourseError where it cannot be used.
    """
    if _known(place) >= {(book.name, earliest_due(course, book)) for book in books}:
        return
    from nbgrader.api import Gradebook
    from sqlalchemy.exc import SAWarning

    with _told(place), _programs_found(), warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # of nbgrader's own making
        with Gradebook(place.db_url, place.course_id or "default_course") as gradebook:
            known = {book.name for each in gradebook.assignments for book in each.notebooks}
            for book in books:
                due = earliest_due(course, book)
                gradebook.update_or_create_assignment(book.name, course_id=gradebook.course_id, duedate=due)
                if book.name not in known:
                    _register(gradebook, book)


@contextmanager
def _programs_found() -> Iterator[None]:
    """nbgrader calls alembic by its name. It lies beside this Python, whether or not its environment is active."""
    before = os.environ.get("PATH", os.defpath)
    os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), before))
    try:
        yield
    finally:
        os.environ["PATH"] = before


def _known(place: Place) -> set[tuple[str, datetime | None]]:
    """The assignments that the gradebook has with a notebook, and when they are due; none where it has no tables."""
    from sqlalchemy import inspect, select

    with _told(place):
        from sqlalchemy import create_engine

        engine = create_engine(place.db_url)
        try:
            if not set(_TABLES) <= set(inspect(engine).get_table_names()):
                return set()
        finally:
            engine.dispose()
    with opened(place) as gradebook:
        assignment, notebook = gradebook.tables["assignment"], gradebook.tables["notebook"]
        asked = select(assignment.c.name, assignment.c.duedate).join(notebook)
        return {(name, due) for name, due in gradebook.rows(asked)}


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
