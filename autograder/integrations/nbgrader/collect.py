"""From ``submitted/STUDENT/ASSIGNMENT/*.ipynb`` to uploads: one for each student, of all that they handed in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder import notebooks
from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.integrations.nbgrader.place import Place
from autograder.notebooks import Notebook
from autograder.quiz.draw import load_quiz
from autograder.records import Submission, Upload
from autograder.submissions import arrival, files, folder, names
from autograder.submissions.errors import Refusal
from autograder.submissions.intake import Uploads
from autograder.submissions.member import NOTEBOOK
from autograder.submissions.repair import Wanted, answers
from autograder.texts.load import LINE

#: What the gradebook can hold as a student's id.
_LONGEST_NAME = 128


@dataclass
class Handed:
    """One student's notebook of one assignment, as it was read."""

    book: Notebook
    received: str | None
    sources: dict[str, bytes] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    """By exercise: what was mended, and what could not be read."""
    untouched: set[str] = field(default_factory=set)
    """Exercises whose cell is as it was handed out: nobody has answered them, so there is nothing to run."""


@dataclass
class Submitted:
    """Everything under ``submitted/``. What has been read stays here, by student, for who writes it out again."""

    course: Course
    place: Place
    books: Sequence[Notebook]
    handed: dict[str, list[Handed]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._wanted = {book.name: [_wanted(self.course, each, book) for each in book.exercises] for book in self.books}

    def uploads(self) -> Uploads:
        """One upload for each student, read as the iteration comes to it. Raises CourseError where there is none."""
        submitted = self.place.submitted()
        try:
            students = sorted(each for each in os.listdir(submitted) if not names.hidden(each))
        except OSError as error:
            raise CourseError((f"{display(submitted)}: cannot be listed ({error.strerror}).",)) from None
        students = [each for each in students if (submitted / each).is_dir() and not (submitted / each).is_symlink()]
        if not students:
            mend = "`nbgrader collect` or `nbgrader zip_collect` brings in what was handed in"
            raise CourseError((f"{display(submitted)}: holds no student's folder; {mend}.",))
        return Uploads(len(students), lambda: map(self._upload, students))

    def _upload(self, student: str) -> Upload:
        if names.learner(student) != student or len(student) > _LONGEST_NAME:
            shown = names.learner(student)
            return Upload(shown, refused=f"the folder name {names.shown(student)} is no student's id: rename it")
        wanted = {book.name: book for book in self.books}
        handed: list[Handed] = []
        notes: list[str] = []
        try:
            for name in sorted(os.listdir(self.place.submitted() / student)):
                if name in wanted:
                    handed += self._read(student, wanted[name])
                elif not names.hidden(name):
                    notes.append(f"submitted/{student}/{names.shown(name)} is no assignment of this course")
        except OSError as error:
            return Upload(student, refused=f"{files.unreadable(f'submitted/{student}', error)}")
        self.handed[student] = handed
        found = tuple(
            Submission(student, exercise, source, f"{each.book.name}.ipynb: cell {exercise}", each.received)
            for each in handed
            for exercise, source in each.sources.items()
            if exercise not in each.untouched
        )
        notes += [note for each in handed for note in _told(each)]
        return Upload(student, found, notes=tuple(notes))

    def _read(self, student: str, book: Notebook) -> Iterator[Handed]:
        home = self.place.submitted() / student / book.name
        if not home.is_dir() or home.is_symlink():
            return
        where = f"submitted/{student}/{book.name}"
        received, late_note = arrival.noted(home, where) if (home / arrival.TIMESTAMP).exists() else (None, None)
        handed = Handed(book, received)
        try:
            path, renamed = _notebook(home, book)
            member = folder.on_disk(path, path.name, where, received)
            if member.instead:
                raise files.special(member.origin, member.instead)
            handed.received = member.received
            wanted = self._wanted[book.name]
            found = answers(member.read(NOTEBOOK), wanted)
            handed.sources, handed.notes = found.sources, found.notes
            handed.untouched = {each.exercise for each in wanted if _same(found.sources.get(each.exercise), each.blank)}
            troubles = [renamed]
        except Refusal as refusal:
            troubles = [f"{book.name}.ipynb was not read: {refusal}"]
        for exercise in book.exercises:
            for trouble in filter(None, [*troubles, late_note]):
                handed.notes.setdefault(exercise.id, []).append(trouble)
        yield handed


def _told(handed: Handed) -> Iterator[str]:
    """What there is to say about a notebook; what concerns all of its exercises is said once."""
    about: dict[str, list[str]] = {}
    for exercise, notes in handed.notes.items():
        for note in notes:
            about.setdefault(note, []).append(exercise)
    for note, exercises in about.items():
        whole = len(exercises) == len(handed.book.exercises)
        yield note if whole else f"{', '.join(exercises)}: {note}"


def _notebook(home: Path, book: Notebook) -> tuple[Path, str]:
    """The notebook of an assignment, and a sentence where it has another name. Raises Refusal where it is missing."""
    path = home / f"{book.name}.ipynb"
    if os.path.lexists(path):
        return path, ""
    others = sorted(each for each in os.listdir(home) if names.is_a(each, names.NOTEBOOK) and not names.hidden(each))
    if len(others) != 1:
        what = f"there are {names.listed([names.shown(each) for each in others])}" if others else "there is no notebook"
        raise Refusal(f"{what}: hand in the one that is called {path.name}")
    return home / others[0], f"{names.shown(others[0])} was taken for {path.name}"


def _same(source: bytes | None, blank: str) -> bool:
    return source is not None and source.split() == blank.encode().split()


def _wanted(course: Course, exercise: Exercise, book: Notebook) -> Wanted:
    if exercise.kind == "quiz":
        known = tuple(load_quiz(course, exercise).functions)
    else:
        known = exercise.defines if exercise.kind == "code" else (LINE,)
    return Wanted(exercise.id, exercise.kind, known, notebooks.answer_cell(book, exercise))
