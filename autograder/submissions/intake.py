"""From a path to uploads: who the learners of a class folder are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from autograder.records import Upload
from autograder.submissions import arrival, downloads, files, folder, names, sources
from autograder.submissions.downloads import Entry
from autograder.submissions.errors import IntakeError, Refusal

_PACKED = (*names.ARCHIVES, *names.FOREIGN_ARCHIVES, names.NOTEBOOK)
_LEARNERS = "a learner is a sub-folder, an archive (.zip, .tar, .tar.gz, .tgz) or a notebook (.ipynb)"


class Uploads:
    """The uploads at a path: how many there are is known at once, each is read as the iteration comes to it."""

    def __init__(self, count: int, read: Callable[[], Iterator[Upload]], notes: Sequence[str] = ()) -> None:
        self._count, self._read = count, read
        self.notes = notes
        """What there is to say about the class folder itself."""

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Upload]:
        return self._read()


def collect(path: Path, expected: Sequence[str]) -> Uploads:
    """The uploads at ``path``, one per learner, sorted by learner; ``expected`` are the names of the exercises' files.

    ``path`` is a class folder, or the archive, notebook or exercise file of one learner. In a class folder each
    sub-folder, archive and notebook is one learner, named by it; what a learning platform has named is its learner's;
    other files belong to nobody, which is noted. A single exercise file is the work of the learner whose folder it
    lies in.

    Reading happens as the iteration advances, and whatever is wrong with an upload is said in its ``refused``. Raises
    IntakeError at once when nothing is there to be read, and later when the whole class folder has gone.
    """
    if os.path.isdir(path):
        return _class(path, expected)
    if not os.path.lexists(path):
        raise IntakeError(f"{path} does not exist or cannot be reached")
    if not names.is_a(path.name, *names.SOURCES, *_PACKED):
        raise IntakeError(f"{path} is neither a folder nor an exercise file: {_LEARNERS}")
    return Uploads(1, lambda: iter([_single(path, expected)]))


def of_one(folder: Path, learner: str, expected: Sequence[str]) -> Upload:
    """The upload of one learner, who handed in the whole of `folder`, wherever it lies."""
    return _upload(folder.parent, learner, [(folder.name, Entry(learner, ""))], expected)


def _class(path: Path, expected: Sequence[str]) -> Uploads:
    try:
        entries = sorted(name for name in os.listdir(path) if not names.hidden(name))
    except OSError as error:
        raise IntakeError(f"{path} cannot be listed ({error.strerror})") from None
    strays = {name for name in entries if _anybodys(path, name, expected)}
    strange = [names.shown(name) for name in entries if name in strays and not name.lower().startswith("readme")]
    entries = [name for name in entries if name not in strays]
    if not entries:
        others = f", and {names.listed(strange)} could be anybody's (for one learner, give the folder above)"
        raise IntakeError(f"no learner was found in {path}: {_LEARNERS}{others if strange else ''}")
    notes = [f"{path}: left out, as it could be anybody's: {names.listed(strange)}"] if strange else []

    def whose(name: str) -> str:
        return _entry(name, expected).learner

    def read() -> Iterator[Upload]:
        for learner, own in groupby(entries, whose):
            upload = _upload(path, learner, [(name, _entry(name, expected)) for name in own], expected)
            if upload.refused and not os.path.isdir(path):  # a stick pulled out is nobody's empty hands
                raise IntakeError(f"{path} is not there any more: bring it back, and type the same command again")
            yield upload

    entries.sort(key=whose)  # the names are all that is kept of a large class
    return Uploads(len(set(map(whose, entries))), read, notes)


def _entry(name: str, expected: Sequence[str]) -> Entry:
    """Whose an entry of a class folder is."""
    return downloads.entry(name, expected) or Entry(names.learner(name), "")


def _anybodys(path: Path, name: str, expected: Sequence[str]) -> bool:
    """Whether an entry of a class folder is a file that could be anybody's."""
    if downloads.typed(name):
        return True
    if downloads.entry(name, expected) or names.is_a(name, *_PACKED):
        return False
    return os.path.isfile(path / name) and not os.path.islink(path / name)


def _upload(path: Path, learner: str, entries: Sequence[tuple[str, Entry]], expected: Sequence[str]) -> Upload:
    """The upload of one learner: a single entry, or several files that a platform has put beside each other."""
    together = all(entry.file and not os.path.isdir(path / name) for name, entry in entries)
    if len(entries) > 1 and not (together and len({entry.person for _, entry in entries}) == 1):
        several = " and ".join(names.shown(name) + "/" * os.path.isdir(path / name) for name, _ in entries)
        return Upload(learner, refused=f"{learner} was handed in more than once, as {several}: keep one of them")
    members = []
    try:
        for name, entry in entries:
            visible = names.visible(name, "the class folder")
            member = folder.on_disk(path / name, visible, "", None)
            if member.instead == files.FOLDER:
                found, notes = folder.members(path / name, member.path)
                return sources.upload(learner, found, expected, notes)
            if member.instead:
                raise files.special(member.origin, member.instead)
            members.append(replace(member, path=names.visible(entry.file, "") or visible))
    except Refusal as refusal:
        return Upload(learner, refused=str(refusal))
    return sources.upload(learner, members, expected)


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
