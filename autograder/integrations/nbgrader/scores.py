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

from autograder.integrations.nbgrader.gradebook import Gradebook, opened
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
    from sqlalchemy import select

    with opened(place) as gradebook:
        handed, book, cell, grade, comment = (
            gradebook.tables[name].c
            for name in ("submitted_assignment", "submitted_notebook", "base_cell", "grade", "comment")
        )
        found = {
            (student, name): (points, row)
            for student, name, points, row in gradebook.rows(
                select(handed.student_id, cell.name, grade.manual_score, grade.notebook_id)
                .where(book.id == grade.notebook_id, handed.id == book.assignment_id, cell.id == grade.cell_id)
                .where(grade.manual_score.is_not(None), grade.needs_manual_grade.is_(False))
                .where(cell.name.in_(list(cells)))
            )
        }
        asked = select(comment.notebook_id, cell.name, comment.manual_comment).where(cell.id == comment.cell_id)
        said = {(row, name): text for row, name, text in gradebook.rows(asked) if text}
    for (student, name), (points, row) in found.items():
        yield Given(student, name, float(points), said.get((row, name), ""))


def write(place: Place, marks: Sequence[Scores]) -> None:
    """Write all of it in one transaction. Raises CourseError where the gradebook cannot be used."""
    with opened(place) as gradebook:
        _Writer(gradebook).write(marks)


class _Writer:
    """One transaction, and what the gradebook calls the notebooks and their cells."""

    def __init__(self, gradebook: Gradebook) -> None:
        from sqlalchemy import select

        self.gradebook, self.tables = gradebook, gradebook.tables
        assignment, book, cell = (self.tables[name].c for name in ("assignment", "notebook", "base_cell"))
        self.assignments = dict(gradebook.rows(select(assignment.name, assignment.id)))
        named = {(id, name) for name, id in self.assignments.items()}  # ours has its assignment's name
        asked = select(book.assignment_id, book.name, book.id)
        self.books = {each: id for each, name, id in gradebook.rows(asked) if (each, name) in named}
        asked = select(cell.notebook_id, cell.name, cell.type, cell.id)
        self.cells = {(book, name, kind): id for book, name, kind, id in gradebook.rows(asked)}

    def write(self, marks: Sequence[Scores]) -> None:
        """Students first, then what they handed in, then what it got: each row refers to the one before."""
        self._students(marks)
        assignments = self._handed_in(marks)
        books = self._books(marks, assignments)
        self._grades(marks, books)
        self._comments(marks, books)

    def _students(self, marks: Sequence[Scores]) -> None:
        from sqlalchemy import select

        known = {id for (id,) in self.gradebook.rows(select(self.tables["student"].c.id))}
        new = dict.fromkeys(each.student for each in marks if each.student not in known)
        self._insert("student", [{"id": student} for student in new])

    def _handed_in(self, marks: Sequence[Scores]) -> dict[tuple[str, str], str]:
        """The rows of submitted assignments: by assignment and student."""
        from sqlalchemy import select

        table = self.tables["submitted_assignment"].c
        found = {(a, s): (id, *rest) for a, s, id, *rest in self.gradebook.rows(
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
        self._insert("submitted_assignment", new)
        self._update("submitted_assignment", changed)
        return ids

    def _books(self, marks: Sequence[Scores], assignments: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], str]:
        """The rows of submitted notebooks: by assignment and student."""
        from sqlalchemy import select

        table = self.tables["submitted_notebook"].c
        asked = select(table.assignment_id, table.notebook_id, table.id, table.late_submission_penalty)
        found = {(assignment, book): (id, penalty) for assignment, book, id, penalty in self.gradebook.rows(asked)}
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
        self._insert("submitted_notebook", new)
        self._update("submitted_notebook", changed)
        return ids

    def _grades(self, marks: Sequence[Scores], books: Mapping[tuple[str, str], str]) -> None:
        from sqlalchemy import select

        table = self.tables["grade"].c
        asked = select(
            table.notebook_id, table.cell_id, table.id, table.auto_score, table.manual_score, table.needs_manual_grade
        )
        found = {(book, cell): (id, *rest) for book, cell, id, *rest in self.gradebook.rows(asked)}
        new, changed, marked = [], [], []
        for book, cell, score in self._each(marks, books, "GradeCell"):
            id, *stands = found.get((book, cell), (uuid4().hex, None, None, True))
            row = _grade(score, *stands)
            if (book, cell) not in found:
                new.append({"id": id, "notebook_id": book, "cell_id": cell, **row})
            elif row["manual_score"] != stands[1]:
                marked.append({"key": id, **row})
            elif stands != list(row.values()):
                del row["manual_score"]  # somebody may be typing one at this moment
                changed.append({"key": id, **row})
        self._insert("grade", new)
        self._update("grade", changed)
        self._update("grade", marked)

    def _comments(self, marks: Sequence[Scores], books: Mapping[tuple[str, str], str]) -> None:
        from sqlalchemy import select

        table = self.tables["comment"].c
        asked = select(table.notebook_id, table.cell_id, table.id, table.auto_comment)
        found = {(book, cell): (id, comment) for book, cell, id, comment in self.gradebook.rows(asked)}
        new, changed = [], []
        for book, cell, score in self._each(marks, books, "SolutionCell"):
            id, stands = found.get((book, cell), (uuid4().hex, None))
            if (book, cell) not in found:
                new.append({"id": id, "notebook_id": book, "cell_id": cell, "auto_comment": score.comment})
            elif stands != score.comment:
                changed.append({"key": id, "auto_comment": score.comment})
        self._insert("comment", new)
        self._update("comment", changed)

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

    def _insert(self, table: str, rows: list[dict[str, Any]]) -> None:
        from sqlalchemy import insert

        for at in range(0, len(rows), _ROWS):
            self.gradebook.connection.execute(insert(self.tables[table]), rows[at : at + _ROWS])

    def _update(self, table: str, rows: list[dict[str, Any]]) -> None:
        from sqlalchemy import bindparam, update

        if rows:
            asked = update(self.tables[table]).where(self.tables[table].c.id == bindparam("key"))
            columns: dict[str, Any] = {name: bindparam(name) for name in rows[0] if name != "key"}
            self.gradebook.connection.execute(asked.values(columns), rows)


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
