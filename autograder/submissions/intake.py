"""From a path to uploads: who the learners of a class folder are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.records import Upload
from autograder.submissions import arrival, files, folder, member, names, sources
from autograder.submissions.errors import IntakeError, Refusal

_PACKED = (*names.ARCHIVES, *names.FOREIGN_ARCHIVES, names.NOTEBOOK)
_LEARNERS = "a learner is a sub-folder, an archive (.zip, .tar, .tar.gz, .tgz) or a notebook (.ipynb)"


class Uploads:
    """The uploads at a path: how many there are is known at once, each is read as the iteration comes to it."""

    def __init__(self, count: int, read: Callable[[], Iterator[Upload]]) -> None:
        self._count, self._read = count, read

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Upload]:
        return self._read()


def collect(path: Path, expected: Sequence[str]) -> Uploads:
    """The uploads at ``path``, one per learner, sorted by learner; ``expected`` are the names of the exercises' files.

    ``path`` is a class folder, or the archive, notebook or exercise file of one learner. In a class folder each
    sub-folder, archive and notebook is one learner, named by it; other files belong to nobody, which is noted on the
    first upload. A single exercise file is the work of the learner whose folder it lies in.

    Reading happens as the iteration advances, and whatever is wrong with an upload is said in its ``refused``. Raises
    IntakeError at once when nothing is there to be read.
    """
    if os.path.isdir(path):
        return _class(path, expected)
    if not os.path.lexists(path):
        raise IntakeError(f"{path} does not exist or cannot be reached")
    if not names.is_a(path.name, *names.SOURCES, *_PACKED):
        raise IntakeError(f"{path} is neither a folder nor an exercise file: {_LEARNERS}")
    return Uploads(1, lambda: iter([_single(path, expected)]))


def read_source(path: Path, origin: str) -> bytes:
    """One exercise file on its author's own machine, within the limits of a handed-in one.

    Raises IntakeError where it cannot be read, is too large or no ordinary file.
    """
    try:
        return files.read(path.resolve(), origin, member.SOURCE)
    except Refusal as refusal:
        raise IntakeError(f"{refusal}") from None


def _class(path: Path, expected: Sequence[str]) -> Uploads:
    try:
        entries = sorted(name for name in os.listdir(path) if not names.hidden(name))
    except OSError as error:
        raise IntakeError(f"{path} cannot be listed ({error.strerror})") from None
    learners: dict[str, list[str]] = {}
    strays = []
    for name in entries:
        if names.is_a(name, *_PACKED) or not os.path.isfile(path / name) or os.path.islink(path / name):
            learners.setdefault(names.learner(name), []).append(name)
        elif not name.lower().startswith("readme"):
            strays.append(names.shown(name))
    if not learners:
        others = f", and {names.listed(strays)} could be anybody's (for one learner, give the folder above)"
        raise IntakeError(f"no learner was found in {path}: {_LEARNERS}{others if strays else ''}")
    notes = (f"at the top of the class folder, belonging to no learner: {names.listed(strays)}",) if strays else ()

    def read() -> Iterator[Upload]:
        for number, learner in enumerate(sorted(learners)):
            found = _upload(path, learner, learners[learner], expected)
            yield found if number else replace(found, notes=notes + found.notes)

    return Uploads(len(learners), read)


def _upload(path: Path, learner: str, entries: list[str], expected: Sequence[str]) -> Upload:
    if len(entries) > 1:
        several = " and ".join(names.shown(name) + "/" * os.path.isdir(path / name) for name in entries)
        return Upload(learner, refused=f"{learner} was handed in more than once, as {several}: keep one of them")
    (name,) = entries
    try:
        member = folder.on_disk(path / name, names.visible(name, "the class folder"), "", None)
        if member.instead == files.FOLDER:
            members, notes = folder.members(path / name, member.path)
            return sources.upload(learner, members, expected, notes)
        if member.instead:
            raise files.special(member.origin, member.instead)
    except Refusal as refusal:
        return Upload(learner, refused=str(refusal))
    return sources.upload(learner, [member], expected)


def _single(path: Path, expected: Sequence[str]) -> Upload:
    home = path.absolute().parent
    is_source = names.is_a(path.name, *names.SOURCES)
    learner = names.learner(home.name or path.stem) if is_source else names.learner(path.name)
    try:
        received, note = arrival.noted(home, learner) if os.path.lexists(home / arrival.TIMESTAMP) else (None, None)
        member = folder.on_disk(path, names.visible(path.name, str(home)), learner if is_source else "", received)
    except Refusal as refusal:
        return Upload(learner, refused=str(refusal))
    return sources.upload(learner, [member], expected, [note] if note else [])
