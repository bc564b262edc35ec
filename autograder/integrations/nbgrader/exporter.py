"""`nbgrader export` with every cell quoted: a plugin in place of nbgrader's own, which writes names as they come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import MissingEntry
from nbgrader.plugins import ExportPlugin

from autograder.integrations.nbgrader_csv import HEADER
from autograder.integrations.table import table
from autograder.integrations.text import number


class QuotedCsv(ExportPlugin):  # type: ignore[misc]
    """The same columns and lines as nbgrader's CSV."""

    def export(self, gradebook: Any) -> None:
        """Write the table to ``--to``, or to grades.csv."""
        to = Path(self.to or "grades.csv")
        self.log.info("Exporting grades to %s", to)
        to.write_text(table(HEADER, self._rows(gradebook)), "utf-8", newline="")

    def _rows(self, gradebook: Any) -> Iterator[list[str]]:
        students, assignments = set(map(str, self.student)), set(map(str, self.assignment))
        for assignment in gradebook.assignments:
            for student in gradebook.students:
                if (not assignments or assignment.name in assignments) and (not students or student.id in students):
                    yield _row(gradebook, assignment, student)


def _row(gradebook: Any, assignment: Any, student: Any) -> list[str]:
    try:
        found = gradebook.find_submission(assignment.name, student.id)
        came, earned, taken = found.timestamp, found.score, found.late_submission_penalty
    except MissingEntry:
        came, earned, taken = None, 0.0, 0.0
    person = (student.id, student.last_name, student.first_name, student.email)
    points = (earned, taken, max(0.0, earned - taken), assignment.max_score)
    words = (assignment.name, assignment.duedate, came, *person)
    return ["" if word is None else str(word) for word in words] + [number(each) for each in points]
