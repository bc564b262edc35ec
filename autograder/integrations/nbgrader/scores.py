"""Marks and comments into the gradebook, all at once: nbgrader's own calls ask it hundreds of times for each student.

What a person typed into formgrader is never overwritten. Where the answer below it has changed since, it is marked as
to be looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from autograder.integrations.nbgrader.gradebook import opened
from autograder.integrations.nbgrader.place import Place

#: Rows of one statement; databases limit how many values one may hold.
_ROWS = 500


@dataclass(frozen=True)
class Score:
    """What one student got for one exercise."""

    cell: str
    """The grade_id of the cell that has the points."""
    answer: str
    """The grade_id of the cell that was answered, which the comment belongs to."""
    auto: float | None
    """None where a person has to say."""
    manual: float | None
    """What a person said elsewhere; what stands in the gradebook already comes first."""
    changed: bool
    """Whether the answer is another one than the gradebook's mark was given for."""
    comment: str


@dataclass(frozen=True)
class Scores:
    """One student's notebook of one assignment."""

    student: str
    assignment: str
    received: datetime | None
    extension: timedelta | None
    penalty: float | None
    """Points that coming late takes from the notebook; None where it takes nothing."""
    scores: tuple[Score, ...]


@dataclass(frozen=True)
class Given:
    """What a person typed into formgrader for an answer that is still the one they saw."""

    student: str
    answer: str
    points: float
    comment: str


def given(place: Place, cells: Iterable[str]) -> Iterator[Given]:
    """The marks of these cells that stand in the gradebook and hold."""
    from nbgrader.api import BaseCell, Comment, Grade, SubmittedAssignment, SubmittedNotebook
    from sqlalchemy import select
    from sqlalchemy.orm import aliased

    solution = aliased(BaseCell)
    asked = (
        select(SubmittedAssignment.student_id, BaseCell.name, Grade.manual_score, Comment.manual_comment)
        .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .join(solution, (solution.name == BaseCell.name) & (solution.notebook_id == BaseCell.notebook_id))
        .join(Comment, (Comment.cell_id == solution.id) & (Comment.notebook_id == Grade.notebook_id))
        .where(Grade.manual_score.is_not(None), Grade.needs_manual_grade.is_(False), BaseCell.name.in_(list(cells)))
    )
    with opened(place) as gradebook, gradebook.engine.connect() as connection:
        for student, cell, points, comment in connection.execute(asked):
            yield Given(student, cell, float(points), comment or "")


def write(place: Place, marks: Sequence[Scores]) -> None:
    """Write all of it in one transaction. Raises CourseError where the gradebook cannot be used."""
    with opened(place) as gradebook, gradebook.engine.begin() as connection:
        _Writer(connection).write(marks)


class _Writer:
    """One connection, and what the gradebook calls the notebooks and their cells."""

    def __init__(self, connection: Any) -> None:
        from nbgrader import api
        from sqlalchemy import select

        self.connection, self.api = connection, api
        self.assignments = dict(self._rows(select(api.Assignment.name, api.Assignment.id)))
        books = self._rows(select(api.Notebook.assignment_id, api.Notebook.id))
        self.books = dict(books)  # an assignment has one notebook here
        asked = select(api.BaseCell.notebook_id, api.BaseCell.name, api.BaseCell.type, api.BaseCell.id)
        self.cells = {(book, name, kind): id for book, name, kind, id in self._rows(asked)}

    def write(self, marks: Sequence[Scores]) -> None:
        """Students first, then what they handed in, then what it got: each row refers to the one before."""
        self._students(marks)
        assignments = self._handed_in(marks)
        books = self._books(marks, assignments)
        self._grades(marks, books)
        self._comments(marks, books)

    def _students(self, marks: Sequence[Scores]) -> None:
        from sqlalchemy import select

        students = self.api.Student
        known = {id for (id,) in self._rows(select(students.id))}
        new = dict.fromkeys(each.student for each in marks if each.student not in known)
        self._insert(students, [{"id": student} for student in new])

    def _handed_in(self, marks: Sequence[Scores]) -> dict[tuple[str, str], str]:
        """The rows of submitted assignments: by assignment and student."""
        from sqlalchemy import select

        table = self.api.SubmittedAssignment
        found = {(a, s): (id, *rest) for a, s, id, *rest in self._rows(
            select(table.assignment_id, table.student_id, table.id, table.timestamp, table.extension)
        )}  # fmt: skip
        new, changed, ids = [], [], {}
        for each in marks:
            key = (self.assignments[each.assignment], each.student)
            id, *stands = found.get(key, (uuid4().hex, None, None))
            ids[each.assignment, each.student] = id
            row = {"timestamp": each.received, "extension": each.extension}
            if key not in found:
                new.append({"id": id, "assignment_id": key[0], "student_id": key[1], **row})
            elif stands != list(row.values()):
                changed.append({"key": id, **row})
        self._insert(table, new)
        self._update(table, changed)
        return ids

    def _books(self, marks: Sequence[Scores], assignments: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], str]:
        """The rows of submitted notebooks: by assignment and student."""
        from sqlalchemy import select

        table = self.api.SubmittedNotebook
        asked = select(table.assignment_id, table.notebook_id, table.id, table.late_submission_penalty)
        found = {(assignment, book): (id, penalty) for assignment, book, id, penalty in self._rows(asked)}
        new, changed, ids = [], [], {}
        for each in marks:
            key = (assignments[each.assignment, each.student], self.books[self.assignments[each.assignment]])
            id, penalty = found.get(key, (uuid4().hex, None))
            ids[each.assignment, each.student] = id
            if key not in found:
                new.append({
                    "id": id, "assignment_id": key[0], "notebook_id": key[1], "flagged": False,
                    "late_submission_penalty": each.penalty,
                })  # fmt: skip
            elif penalty != each.penalty:
                changed.append({"key": id, "late_submission_penalty": each.penalty})
        self._insert(table, new)
        self._update(table, changed)
        return ids

    def _grades(self, marks: Sequence[Scores], books: Mapping[tuple[str, str], str]) -> None:
        from sqlalchemy import select

        table = self.api.Grade
        asked = select(
            table.notebook_id, table.cell_id, table.id, table.auto_score, table.manual_score, table.needs_manual_grade
        )
        found = {(book, cell): (id, *rest) for book, cell, id, *rest in self._rows(asked)}
        new, changed = [], []
        for book, cell, score in self._each(marks, books, "GradeCell"):
            id, *stands = found.get((book, cell), (uuid4().hex, None, None, True))
            row = _grade(score, *stands)
            if (book, cell) not in found:
                new.append({"id": id, "notebook_id": book, "cell_id": cell, **row})
            elif stands != list(row.values()):
                changed.append({"key": id, **row})
        self._insert(table, new)
        self._update(table, changed)

    def _comments(self, marks: Sequence[Scores], books: Mapping[tuple[str, str], str]) -> None:
        from sqlalchemy import select

        table = self.api.Comment
        asked = select(table.notebook_id, table.cell_id, table.id, table.auto_comment)
        found = {(book, cell): (id, comment) for book, cell, id, comment in self._rows(asked)}
        new, changed = [], []
        for book, cell, score in self._each(marks, books, "SolutionCell"):
            id, stands = found.get((book, cell), (uuid4().hex, None))
            if (book, cell) not in found:
                new.append({"id": id, "notebook_id": book, "cell_id": cell, "auto_comment": score.comment})
            elif stands != score.comment:
                changed.append({"key": id, "auto_comment": score.comment})
        self._insert(table, new)
        self._update(table, changed)

    def _each(
        self, marks: Sequence[Scores], books: Mapping[tuple[str, str], str], kind: str
    ) -> Iterator[tuple[str, str, Score]]:  # fmt: skip
        """Each score with the rows of its notebook and cell."""
        for each in marks:
            book = self.books[self.assignments[each.assignment]]
            for score in each.scores:
                name = score.cell if kind == "GradeCell" else score.answer
                if cell := self.cells.get((book, name, kind)):
                    yield books[each.assignment, each.student], cell, score

    def _rows(self, asked: Any) -> list[Any]:
        return list(self.connection.execute(asked))

    def _insert(self, table: Any, rows: list[dict[str, Any]]) -> None:
        from sqlalchemy import insert

        for at in range(0, len(rows), _ROWS):
            self.connection.execute(insert(table.__table__), rows[at : at + _ROWS])

    def _update(self, table: Any, rows: list[dict[str, Any]]) -> None:
        from sqlalchemy import bindparam, update

        if rows:
            asked = update(table.__table__).where(table.__table__.c.id == bindparam("key"))
            self.connection.execute(asked.values({name: bindparam(name) for name in rows[0] if name != "key"}), rows)


def _grade(score: Score, auto: float | None, manual: float | None, waits: bool) -> dict[str, Any]:
    """The columns of a grade, given those that stand there."""
    if manual is None:
        return {"auto_score": score.auto, "manual_score": score.manual, "needs_manual_grade": _open(score)}
    stale = score.changed or (score.auto is not None and score.auto != auto)
    return {"auto_score": score.auto, "manual_score": manual, "needs_manual_grade": waits or stale}


def _open(score: Score) -> bool:
    return score.auto is None and score.manual is None


def as_kept(received: str | None) -> datetime | None:
    """A time as nbgrader keeps it: in UTC, without saying so."""
    return datetime.fromisoformat(received).astimezone(UTC).replace(tzinfo=None) if received else None
