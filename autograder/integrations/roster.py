"""Who a learner is in somebody else's gradebook: a CSV file that maps the names of hand-ins to people."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from autograder.course.errors import CourseError, did_you_mean, display
from autograder.integrations.text import plain

_NAMED = 5
_MAX_BYTES = 10_000_000


@dataclass(frozen=True)
class Person:
    """One line of a roster. Columns it does not have are empty."""

    learner: str
    """The name of the hand-in: of the learner's folder, archive or notebook."""
    id: str = ""
    sis_id: str = ""
    login: str = ""
    email: str = ""
    name: str = ""
    first_name: str = ""
    last_name: str = ""
    section: str = ""


COLUMNS = tuple(field.name for field in fields(Person))
#: Columns that tell one person from another, so that no two learners may share a value.
UNIQUE = ("learner", "id", "sis_id", "login", "email")


class Roster:
    """The people of a class by learner; without a file, every learner stands for themselves."""

    def __init__(self, people: Mapping[str, Person] | None = None) -> None:
        self._people = people

    def __getitem__(self, learner: str) -> Person:
        return Person(learner) if self._people is None else self._people[learner]

    def require(self, learners: Sequence[str]) -> None:
        """Raise CourseError where somebody who handed in is not in the roster."""
        people = self._people
        if people is None or not (unknown := [learner for learner in learners if learner not in people]):
            return
        listed = ", ".join(f"'{plain(learner)}'" for learner in unknown[:_NAMED])
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        near = did_you_mean(unknown[0], people) if len(unknown) == 1 else ""
        raise CourseError((f"--roster: has no line for {listed}{more}, who handed in.{near}",))

    def absent(self, learners: Sequence[str]) -> list[str]:
        """Whom the roster knows and nobody has graded."""
        return sorted((self._people or {}).keys() - set(learners))


def read_roster(path: Path) -> Roster:
    """Read the file. Raises CourseError, as file:line, for every line that does not name one person."""
    name = display(path)
    text = _text(path, name)
    first, _, _ = text.partition("\n")
    delimiter = ";" if ";" in first and "," not in first else ","
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restval="")
    try:
        header = [str(column).strip().lower().replace(" ", "_") for column in reader.fieldnames or ()]
        if "learner" not in header:
            near = did_you_mean("learner", header)
            raise CourseError((f"{name}: has no column 'learner' (columns: {', '.join(COLUMNS)}).{near}",))
        reader.fieldnames = header
        people = [(reader.line_num, _person(line)) for line in reader if any(line.values())]
    except csv.Error as error:
        raise CourseError((f"{name}:{reader.line_num}: is not CSV: {error}",)) from None
    if problems := list(_problems(people, name)):
        raise CourseError(tuple(problems))
    return Roster({person.learner: person for _, person in people})


def _text(path: Path, name: str) -> str:
    try:
        with path.open("rb") as file:
            written = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise CourseError((f"{name}: cannot be read ({error.strerror})",)) from None
    if len(written) > _MAX_BYTES:
        raise CourseError((f"{name}: is larger than {_MAX_BYTES // 1_000_000} MB, so it cannot be a roster",))
    try:
        return written.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CourseError((f"{name}: is not UTF-8 text; save it as CSV UTF-8",)) from None


def _person(line: Mapping[str | None, str | list[str]]) -> Person:
    known = {column: value.strip() for column, value in line.items() if column in COLUMNS and isinstance(value, str)}
    return Person(**{str(column): value for column, value in known.items()})


def _problems(people: Sequence[tuple[int, Person]], name: str) -> Iterator[str]:
    seen: dict[tuple[str, str], int] = {}
    for line, person in people:
        if not person.learner:
            yield f"{name}:{line}: names no learner"
        for column in UNIQUE:
            value: str = getattr(person, column)
            first = seen.setdefault((column, value), line)
            if value and first != line:
                yield f"{name}:{line}: {column} '{plain(value)}' stands on line {first} already"
