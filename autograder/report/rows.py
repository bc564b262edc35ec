"""Results as lines of results.jsonl: written as a whole or not at all, one result in memory at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.files import write_whole
from autograder.records import Result

#: What has to be in a row for it to be compared with.
READ: dict[str, Any] = {
    "learner": str, "exercise": (str, type(None)), "points": (int, float), "verdict": str, "checks": list,
    "misconceptions": list, "late_days": int, "message": str,
}  # fmt: skip
#: The same for each of its checks.
CHECK = {"id", "passed", "max_points"}
_ENCODER = json.JSONEncoder(default=vars, ensure_ascii=False)
_NOBODY = '{"learner": ""'


def row(result: Result) -> str:
    """JSON with the field names of `records.Result`, on one line, non-ASCII text as it is; pictures are left out."""
    fields = vars(result).copy()
    del fields["picture"]
    return _ENCODER.encode(fields)


class Rows:
    """Makes rows of one grading. What was not handed in reads the same for everybody, but for the name."""

    def __init__(self) -> None:
        self._missing: dict[tuple[str | None, int], str] = {}

    def row(self, result: Result) -> str:
        """Like `row`, and sooner where most learners handed in a few exercises of many."""
        if result.verdict != "NOT_SUBMITTED":
            return row(result)
        kind = (result.exercise, result.attempts)
        if kind not in self._missing:
            self._missing[kind] = row(replace(result, learner="")).removeprefix(_NOBODY)
        return f"{_NOBODY[:-2]}{_ENCODER.encode(result.learner)}{self._missing[kind]}"


def write_rows(rows: Iterable[str], path: Path) -> Path:
    """Write the file; an earlier one stays until the new one is complete."""
    write_whole(path, (f"{line}\n".encode("utf-8", "replace") for line in rows))
    return path


def unversioned(line: str) -> str:
    """A row without what it depends on, which is its last field: what a learner would notice."""
    return line[: line.rfind('"versions"')]


def replace_row(path: Path, result: Result) -> None:
    """Put one result in the place of the row of its learner and exercise; nothing happens where there is none."""
    if path.exists():
        write_rows((row(result) if _is_of(result, line) else line for line in read_lines(path)), path)


def _is_of(result: Result, line: str) -> bool:
    found = read_row(line)
    return found is not None and (found["learner"], found["exercise"]) == (result.learner, result.exercise)


def read_lines(path: Path) -> Iterator[str]:
    """The lines of an earlier file; none where there is no file."""
    if path.exists():
        with open(path, encoding="utf-8", errors="replace") as file:
            yield from (line.rstrip("\n") for line in file)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of an earlier file; none where there is no file, and lines that are damaged are left out."""
    return (found for line in read_lines(path) if (found := read_row(line)))


def read_row(line: str) -> dict[str, Any] | None:
    """The row of one line; None where somebody's file does not hold, in this line, what we wrote."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    if not isinstance(found, dict) or not all(isinstance(found.get(name), kind) for name, kind in READ.items()):
        return None
    return found if all(isinstance(check, dict) and check.keys() >= CHECK for check in found["checks"]) else None
