"""`headcount export`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from autograder.course.errors import CourseError, did_you_mean, display
from autograder.course.load import find_course, load_course
from autograder.files import write_whole
from autograder.integrations.formats import FORMATS, Format, as_json, file_name
from autograder.integrations.marks import UNGRADED, UNMARKED, Damaged, Marks, gather
from autograder.integrations.quizzes import Sheet, sheets
from autograder.integrations.roster import UNIQUE, Roster, read_roster
from autograder.integrations.table import is_formula
from autograder.integrations.text import plain
from autograder.ledger import NAME as LEDGER
from autograder.report.rows import read_rows
from autograder.teach.commands import RESULTS

#: Said of an id that could not be written as it is.
CHANGED = "may be taken for a formula or hides characters; it is written otherwise, and may match nobody"


def export(out: Path | None, name: str, *, to: Path | None, roster: Path | None, title: str | None) -> None:
    """Write the marks of the graded folder `out`, or the quizzes of the course: to `to`, or on standard output.

    Raises CourseError on bad input, and where anything is not graded yet: half a mark in a gradebook is a wrong one.
    """
    form = _format(name, out, to, roster)
    if out is None:
        course = load_course(find_course(Path.cwd()))
        found = sheets(course)
        if not found:
            raise CourseError((f"--format {name}: this course has no quizzes.",))
        _write(_quizzes(form, found, title or course.title), to, taken=[])
        count, what = len(found), "quiz" + "zes" * (len(found) != 1)
    else:
        learners = _graded(out)
        people = read_roster(roster) if roster else Roster()
        people.require([each.learner for each in learners])
        texts = _texts(form, learners, people, title)
        if unmarked := sum(mark.verdict == UNMARKED for each in learners for mark in each.marks):
            waiting = f"{unmarked} text{'s wait' if unmarked != 1 else ' waits'}"
            click.echo(f"{waiting} for a person's mark and count{'s' * (unmarked == 1)} 0 so far", err=True)
        if form.people:
            _warn(learners, people)
        _write(texts, to, taken=[out / kept for kept in (RESULTS, LEDGER)])
        count, what = len(learners), "learner" + "s" * (len(learners) != 1)
    if to is not None:
        click.echo(f"{count} {what}: {display(to)}", err=True)


def _write(texts: Mapping[str, str | bytes], to: Path | None, taken: Sequence[Path]) -> None:
    """Write each text to the file of its name in the folder `to`, or a single one without a name to the file `to`."""
    if to is None:
        click.echo(texts[""], nl=False)
        return
    try:
        for file, text in texts.items():
            path = to / file if file else to
            if path.resolve() in [each.resolve() for each in taken]:
                raise CourseError((f"--to {to}: is what the marks are read from; name another file.",))
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, [text if isinstance(text, bytes) else text.encode("utf-8", "replace")])
    except OSError as error:
        raise CourseError((f"--to {to}: cannot be written ({error.strerror or error}).",)) from None


def _format(name: str, out: Path | None, to: Path | None, roster: Path | None) -> Format:
    form = FORMATS.get(name)
    if form is None:
        near = did_you_mean(name, FORMATS)
        raise CourseError((f"--format {name}: there is no such format; there are {', '.join(FORMATS)}.{near}",))
    if form.of_marks and out is None:
        raise CourseError((f"--format {name}: writes marks; name the folder that `headcount grade` wrote.",))
    if not form.of_marks and out is not None:
        raise CourseError((f"--format {name}: writes the quizzes of this course; leave out {out}.",))
    if form.many and to is None:
        each = "learner" if form.of_marks else "quiz"
        raise CourseError((f"--format {name}: writes a file for each {each}; name a folder for them with --to.",))
    if roster and not form.people:
        raise CourseError((f"--format {name}: names nobody by a roster; leave out --roster.",))
    return form


def _quizzes(form: Format, found: Sequence[Sheet], title: str) -> Mapping[str, str | bytes]:
    if form.for_quizzes:
        return {"": form.for_quizzes(found, title)}
    assert form.for_quiz
    return {f"{sheet.id}.zip": form.for_quiz(sheet) for sheet in found}


def _graded(out: Path) -> list[Marks]:
    path = out / RESULTS
    if not path.is_file():
        raise CourseError((f"{out}: holds no {RESULTS}; `headcount grade CLASS --out {out}` makes one.",))
    rows = list(read_rows(path))
    with path.open("rb") as file:
        lines = sum(not line.isspace() for line in file)
    mend = f"`headcount regrade {out}` writes it anew."
    if lost := lines - len(rows):
        raise CourseError((f"{display(path)}: {lost} line{'s' * (lost != 1)} cannot be read. {mend}",))
    try:
        learners = gather(rows)
    except Damaged as problem:
        raise CourseError((f"{display(path)}: {problem}. {mend}",)) from None
    if not learners:
        raise CourseError((f"{display(path)}: holds no results.",))
    if waiting := sum(mark.verdict == UNGRADED for each in learners for mark in each.marks):
        count = f"{waiting} answer{'s are' if waiting != 1 else ' is'}"
        raise CourseError((f"{display(path)}: {count} not graded yet; grade the class again.",))
    return learners


def _texts(form: Format, learners: Sequence[Marks], people: Roster, title: str | None) -> Mapping[str, str]:
    """What to write, by the name of the file inside a folder; the name is empty where there is one file only."""
    if form.for_class:
        return {"": form.for_class(learners, people, title or load_course(find_course(Path.cwd())).title)}
    assert form.for_learner
    names = {each.learner: file_name(each.learner) for each in learners}
    alike = [name for name, count in Counter(name.casefold() for name in names.values()).items() if count > 1]
    if alike:
        raise CourseError((f"Several learners would share the file {alike[0]}: their names differ in case only.",))
    return {names[each.learner]: as_json(form.for_learner(each)) for each in learners}


def _warn(learners: Sequence[Marks], people: Roster) -> None:
    """What a person should know before importing, on standard error."""
    for each in learners:
        person = people[each.learner]
        for column in UNIQUE:
            value: str = getattr(person, column)
            if is_formula(value) or plain(value) != value:
                click.echo(f"{column} '{plain(value)}' {CHANGED}", err=True)
    if absent := people.absent([each.learner for each in learners]):
        click.echo(f"in the roster, but not graded: {', '.join(map(plain, absent))}", err=True)
