"""Which members of an upload are exercises, and what to say about the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from autograder.records import Submission, Upload
from autograder.submissions import archive, downloads, files, names, notebook
from autograder.submissions.errors import Refusal
from autograder.submissions.folder import DEPTH
from autograder.submissions.member import ARCHIVE, NOTEBOOK, SOURCE, Member


@dataclass
class _Taken:
    """What was found so far: per exercise the submission and the folder it was in, and what was left over."""

    submissions: dict[str, tuple[str, Submission]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unused: list[Member] = field(default_factory=list)

    def add(self, home: str, submission: Submission) -> None:
        """Raises Refusal for a second source of an exercise."""
        if first := self.submissions.get(submission.exercise):
            a, b = first[1].origin, submission.origin
            both = f"twice in {a}" if a == b else f"both in {a} and in {b}"
            raise Refusal(f"{submission.exercise} was handed in {both}: keep only the one to be graded")
        self.submissions[submission.exercise] = home, submission


def upload(learner: str, members: Iterable[Member], expected: Collection[str], notes: Iterable[str] = ()) -> Upload:
    """Everything that ``members`` hold of the expected files, or the reason for refusing it."""
    try:
        taken = _take(learner, members, expected, packed=False)
    except Refusal as refusal:
        return Upload(learner, refused=str(refusal))
    submissions = tuple(taken.submissions[exercise][1] for exercise in sorted(taken.submissions))
    missing = {file for file in expected if names.exercise(file) not in taken.submissions}
    remarks = _remarks(taken.unused, missing, expected)
    if not submissions:
        remarks.append("nothing to grade was found: a file is called after its exercise, a cell has it as grade_id")
    return Upload(learner, submissions, notes=(*notes, *taken.notes, *remarks))


def _take(learner: str, members: Iterable[Member], expected: Collection[str], *, packed: bool) -> _Taken:
    taken = _Taken()
    stems = {names.exercise(file): names.is_a(file, names.TEXT) for file in expected}
    for member in downloads.plainly_named(list(members), expected):
        home, _, name = member.path.rpartition("/")
        exercise, is_source = names.exercise(name), names.in_full(name) in expected
        is_notebook = names.is_a(name, names.NOTEBOOK)
        is_archive = names.is_a(name, *names.ARCHIVES, *names.FOREIGN_ARCHIVES) and not packed
        if not (is_source or is_notebook or is_archive) or member.path.count("/") > DEPTH:
            taken.unused.append(member)
        elif member.instead:
            raise files.special(member.origin, member.instead)
        elif is_source:
            taken.add(home, Submission(learner, exercise, member.read(SOURCE), member.origin, member.received))
        elif is_notebook:
            found, notes = notebook.cells(member.read(NOTEBOOK), member.origin, stems)
            taken.notes += notes
            for cell, source in found.items():
                origin = f"{member.origin}: cell {cell}"
                taken.add(home, Submission(learner, cell, source, origin, member.received))
        elif names.is_a(name, *names.FOREIGN_ARCHIVES):
            raise archive.foreign(member.origin, name.rpartition(".")[2])
        else:
            entries = archive.members(member.read(ARCHIVE), member.origin, member.received)
            inner = _take(learner, entries, expected, packed=True)
            taken.notes += inner.notes
            taken.unused += inner.unused
            for _, submission in inner.submissions.values():
                taken.add(home, submission)
    _one_home(taken)
    return taken


def _one_home(taken: _Taken) -> None:
    """Exercises of two folders may be two people's, or a draft and the final one: a guess may cost somebody points."""
    homes = {home: submission.origin for home, submission in taken.submissions.values()}
    if len(homes) > 1:
        a, b = sorted(homes.values())[:2]
        raise Refusal(f"exercises lie in different folders ({a} and {b}): put all that is to be graded into one folder")


def _remarks(unused: Iterable[Member], missing: Collection[str], expected: Collection[str]) -> list[str]:
    remarks, ignored = [], []
    for member in unused:
        name = member.path.rpartition("/")[2]
        if names.in_full(name) in missing:
            remarks.append(f"{member.origin} was not taken: it lies more than {DEPTH} folders down")
        elif names.is_a(name, *names.ARCHIVES):
            remarks.append(f"{member.origin} was not opened: it is an archive inside an archive")
        elif (plain := downloads.uncounted(names.in_full(name))) in expected and plain not in missing:
            remarks.append(f"{member.origin} was not taken: {plain} was handed in as well")
        elif remark := names.meant(name, missing):
            where = member.origin.removesuffix(names.shown(name))
            remarks.append(f"{where}{remark}")
        else:
            ignored.append(member.origin)
    if ignored:
        remarks.append(f"ignored, as the course has no such exercise: {names.listed(ignored)}")
    return remarks
