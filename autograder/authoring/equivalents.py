"""equivalent.yaml of an exercise: mutants that answer like the model answer on every input, each with the reason.

    mutants:
      - was: x.reshape(B, T, C)
        becomes: x.reshape(B, T, -1)
        why: T and B are known, so -1 can only stand for C.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.errors import ContentError, display
from autograder.course.files import read_source
from autograder.course.tree import Problem, Tree, read_tree

NAME = "equivalent.yaml"
_FIELDS = ("was", "becomes", "why")


@dataclass(frozen=True)
class Equivalent:
    """One excused mutant: the change in the words of the report, why no input shows it, and where this is written."""

    was: str
    becomes: str
    why: str
    place: str


def equivalents(folder: Path) -> list[Equivalent]:
    """What the file beside a solution excuses; nothing where there is no file. Raises ContentError where it is broken."""
    path = folder / NAME
    if not path.exists():
        return []
    tree = read_tree(read_source(path), display(path))
    if problems := [*tree.problems, *_broken(tree)]:
        raise ContentError(tree.report(problems))
    return [
        Equivalent(
            *(" ".join(entry[field].split()) for field in _FIELDS),
            f"{tree.path}:{tree.problem(('mutants', index), '').line}",
        )
        for index, entry in enumerate(tree.data["mutants"])
    ]


def _broken(tree: Tree) -> Iterator[Problem]:
    listed = tree.data.get("mutants")
    if not isinstance(listed, list) or not listed or len(tree.data) > 1:
        yield tree.problem((), "the file holds one list, 'mutants'")
        return
    seen = set()
    for index, entry in enumerate(listed):
        place = ("mutants", index)
        if not _is_entry(entry):
            yield tree.problem(place, "an entry has three texts: 'was', 'becomes' and 'why'")
        elif (change := (entry["was"], entry["becomes"])) in seen:
            yield tree.problem(place, "this mutant is already excused above")
        else:
            seen.add(change)


def _is_entry(entry: Any) -> bool:
    return (
        isinstance(entry, dict)
        and sorted(entry) == sorted(_FIELDS)
        and all(isinstance(text, str) and text.strip() for text in entry.values())
    )
