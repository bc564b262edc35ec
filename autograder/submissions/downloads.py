"""What learning platforms make of names when everything that was handed in is downloaded at once.

Moodle writes `Ada Lovelace_4711_assignsubmission_file_mask.py`, or a folder that ends before the last `_`, Canvas
`lovelaceada_LATE_4711_99_mask.py`, others `lovelace_ada_4711_mask.py`. A second file of one name is `mask-1.py` to
Canvas, and `mask (1).py` to browsers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from autograder.submissions import names
from autograder.submissions.member import Member

_MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_file(?:_(?P<file>.*))?")
_CANVAS = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<number>\d+)_\d{3,}_(?P<file>.+\.\w+)")
#: What was typed into the platform itself, which is no file of the learner's.
_TYPED = "_assignsubmission_onlinetext"
_COPY = re.compile(r"(?P<stem>.+?)(?:-\d+| ?\(\d+\))(?P<suffix>\.\w+)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a class folder."""

    learner: str
    person: str
    """Tells people of one name apart, where the platform numbers them."""
    file: str = ""
    """What the learner called it; empty where a platform had no part in the name."""


def entry(name: str, expected: Collection[str]) -> Entry | None:
    """Whose entry this is by a platform's naming; None where no platform has named it."""
    if found := _MOODLE.fullmatch(name) or _CANVAS.fullmatch(name):
        return Entry(names.learner(found["name"]), found["number"], found["file"] or name)
    file = names.in_full(uncounted(name))
    ends = [each for each in expected if file.endswith(f"_{each}")]
    if not ends or file in expected:
        return None
    longest = max(ends, key=len)
    before = re.sub(r"(?:_\d+)+$", "", file.removesuffix(f"_{longest}"))
    return Entry(names.learner(before), "", longest) if before else None


def typed(name: str) -> bool:
    """Whether an entry holds what a learner typed into the platform's page."""
    return _TYPED in name


def uncounted(name: str) -> str:
    """``name`` without the number that a second file of one name is given."""
    found = _COPY.fullmatch(name)
    return found["stem"] + found["suffix"] if found else name


def plainly_named(members: Sequence[Member], expected: Collection[str]) -> list[Member]:
    """The members, numbered files called by their names where nothing else in their folder has that name."""
    paths = [names.in_full(member.path) for member in members]
    meant = [uncounted(path) for path in paths]
    return [
        replace(member, path=plain)
        if plain != path and plain.rpartition("/")[2] in expected and meant.count(plain) == 1
        else member
        for member, path, plain in zip(members, paths, meant, strict=True)
    ]
