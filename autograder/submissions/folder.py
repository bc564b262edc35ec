"""A learner's folder as a list of members."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.submissions import arrival, files, names
from autograder.submissions.member import Member

#: How many folders down exercises are looked for: ``headcount/exercises/k1_scale_recipe.py`` is two down.
DEPTH = 2


def members(folder: Path, where: str) -> tuple[list[Member], list[str]]:
    """The files of ``folder`` and of the folders down to DEPTH, sorted, and sentences about unreadable timestamps.

    Raises Refusal for a folder that cannot be listed and for names with characters that cannot be seen.
    """
    found: list[Member] = []
    notes: list[str] = []
    pending = [(folder, "")]
    while pending:
        place, inside = pending.pop()
        origin = f"{where}/{inside}".rstrip("/")
        entries = _listed(place, origin)
        received = None
        if arrival.TIMESTAMP in entries:
            received, note = arrival.noted(place, origin)
            notes += [note] if note else []
        for name in entries:
            if names.hidden(name) or name == arrival.TIMESTAMP:
                continue
            member = on_disk(place / name, inside + names.visible(name, origin), where, received)
            if member.instead != files.FOLDER:
                found.append(member)
            elif inside.count("/") < DEPTH:
                pending.append((place / name, f"{member.path}/"))
    return sorted(found, key=lambda m: m.path), sorted(notes)


def on_disk(file: Path, path: str, where: str, received: str | None) -> Member:
    """The member that ``file`` is; its own time counts unless ``received`` is given. Raises Refusal if it has gone."""
    origin = f"{where}/{path}" if where else path
    try:
        status = file.lstat()
    except OSError as error:
        raise files.unreadable(origin, error) from None
    return Member(
        path=path,
        origin=origin,
        received=received or arrival.modified(status.st_mtime),
        read=lambda limit: files.read(file, origin, limit),
        instead=files.kind(status.st_mode),
    )


def _listed(folder: Path, origin: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        raise files.unreadable(origin, error) from None
