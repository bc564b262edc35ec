"""equivalent.yaml beside a solution: mutants that answer like it on every input, and why.

    mutants:
      - was: return y.reshape(B, T, C)
        becomes: return y.reshape(B, T, -1)
        why: B and T are known, so -1 can only stand for C.

`becomes` may be a list of several changes of the same statement that share the reason, or "*" for whatever survives of
them: for exercises in which a statement is free, such as the sizes that a learner's own test tries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.authoring.mutants import Mutant
from autograder.course.errors import ContentError, display
from autograder.course.files import read_source
from autograder.course.tree import Problem, Tree, read_tree

NAME = "equivalent.yaml"
ANY = "*"


@dataclass(frozen=True)
class Equivalent:
    """One excused mutant: the change in the words of the report, why no input shows it, and where this is written."""

    was: str
    becomes: str
    why: str
    place: str

    def covers(self, mutant: Mutant) -> bool:
        """Whether this is the excuse for that mutant."""
        return self.was == mutant.was and self.becomes in (mutant.becomes, ANY)


def equivalents(folder: Path) -> list[Equivalent]:
    """What the file beside a solution excuses; nothing where there is none. Raises ContentError where it is broken."""
    path = folder / NAME
    if not path.exists():
        return []
    tree = read_tree(read_source(path), display(path), what="a list of excuses", first="mutants:")
    problems = [*tree.problems, *_broken(tree)]
    if problems:
        raise ContentError(tree.report(problems))
    return [
        Equivalent(_line(entry["was"]), _line(becomes), _line(entry["why"]), f"{tree.path}:{line}")
        for index, entry in enumerate(tree.data["mutants"])
        for line, becomes in _changes(tree, index, entry["becomes"])
    ]


def _broken(tree: Tree) -> Iterator[Problem]:
    listed = tree.data.get("mutants")
    if not isinstance(listed, list) or not listed or len(tree.data) > 1:
        yield tree.problem((), "the file holds one list, 'mutants'")
        return
    for index, entry in enumerate(listed):
        if not _is_entry(entry):
            yield tree.problem(("mutants", index), "an entry has 'was', 'becomes' (a text or a list) and 'why'")


def _is_entry(entry: Any) -> bool:
    if not isinstance(entry, dict) or sorted(entry) != ["becomes", "was", "why"]:
        return False
    becomes = entry["becomes"]
    texts = [entry["was"], entry["why"], *(becomes if isinstance(becomes, list) else [becomes])]
    return len(texts) > 2 and all(isinstance(text, str) and text.strip() for text in texts)


def _changes(tree: Tree, index: int, becomes: str | list[str]) -> Iterator[tuple[int, str]]:
    """Every change that an entry excuses, with its line in the file."""
    if isinstance(becomes, str):
        yield tree.problem(("mutants", index), "").line, becomes
        return
    for number, change in enumerate(becomes):
        yield tree.problem(("mutants", index, "becomes", number), "").line, change


def _line(text: str) -> str:
    return " ".join(text.split())
