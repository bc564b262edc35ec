"""The CSV that Moodle's gradebook imports (Grades, Import, CSV file), with each exercise's points as feedback."""

from __future__ import annotations

import html
from collections.abc import Sequence

from autograder.integrations.marks import Mark, Marks
from autograder.integrations.roster import Roster
from autograder.integrations.table import table
from autograder.integrations.text import message, number

#: A spreadsheet cell holds less than 32,768 characters.
FEEDBACK = 8000


def write(learners: Sequence[Marks], roster: Roster, title: str) -> str:
    """One line for each learner. Map any of the first three columns to the user when importing."""
    header = ("Username", "ID number", "Email address", title, f"{title} (feedback)")
    return table(header, (_line(each, roster) for each in learners))


def _line(each: Marks, roster: Roster) -> list[str]:
    person = roster[each.learner]
    username = person.login or each.learner
    # Moodle shows feedback as HTML, and messages quote what learners wrote.
    feedback = html.escape(message(_feedback(each), FEEDBACK), quote=False)
    return [username, person.id, person.email, number(each.points), feedback]


def _feedback(each: Marks) -> str:
    refused = [f"The last upload was refused: {each.refused}"] if each.refused is not None else []
    return "\n".join([*refused, *map(_told, each.marks)])


def _told(mark: Mark) -> str:
    late = f", {mark.late_days} day{'s' * (mark.late_days != 1)} late" if mark.late_days else ""
    said = f": {mark.message}" if mark.message else ""
    return f"{mark.exercise}: {number(mark.points)} of {number(mark.max_points)}{late}{said}"
