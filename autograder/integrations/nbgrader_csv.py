"""The table that `nbgrader export` writes, for whatever reads that already; here every cell is quoted right."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.integrations.marks import Marks
from autograder.integrations.roster import Roster
from autograder.integrations.table import table
from autograder.integrations.text import number

HEADER = (
    "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
    "raw_score", "late_submission_penalty", "score", "max_score",
)  # fmt: skip


def write(learners: Sequence[Marks], roster: Roster, title: str) -> str:
    """One line for each learner; the course is the assignment. Times of arrival are not part of a result."""
    return table(HEADER, (_line(each, roster, title) for each in learners))


def _line(each: Marks, roster: Roster, title: str) -> list[str]:
    person = roster[each.learner]
    first, last = person.first_name, person.last_name
    if not first and not last:
        first, _, last = person.name.rpartition(" ")
    taken = round(each.earned - each.points, 6)
    scores = (each.earned, taken, each.points, each.max_points)
    return [title, "", "", person.id or each.learner, last, first, person.email, *map(number, scores)]
