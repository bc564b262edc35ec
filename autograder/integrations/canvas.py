"""The CSV that a Canvas gradebook imports: one column, named like the assignment, with its points possible."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.integrations.marks import Marks
from autograder.integrations.roster import Roster
from autograder.integrations.table import table
from autograder.integrations.text import number

IDENTITY = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
#: Canvas knows the second line by these words; the blanks are its own.
POINTS_POSSIBLE = "    Points Possible"


def write(learners: Sequence[Marks], roster: Roster, title: str) -> str:
    """One line for each learner. Canvas finds a person by any of the three ids; without a roster, by login."""
    possible = max((each.max_points for each in learners), default=0.0)
    head = [POINTS_POSSIBLE, *[""] * (len(IDENTITY) - 1), number(possible)]
    return table((*IDENTITY, title), [head, *(_line(each, roster) for each in learners)])


def _line(each: Marks, roster: Roster) -> list[str]:
    person = roster[each.learner]
    login = person.login
    if not (person.id or person.sis_id or login):
        login = person.email or each.learner
    name = person.name or f"{person.first_name} {person.last_name}".strip() or each.learner
    return [name, person.id, person.sis_id, login, person.section, number(each.points)]
