"""Results as lines of results.jsonl: written as a whole or not at all, one result in memory at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from autograder.files import write_whole
from autograder.records import Result

#: What has to be in a row for it to be compared with.
READ: dict[str, Any] = {
    "learner": str, "exercise": (str, type(None)), "points": (int, float), "verdict": str, "checks": list,
    "misconceptions": list, "late_days": int, "message": str,
}  # fmt: skip


def row(result: Result) -> str:
    """JSON with the field names of `records.Result`, on one line, non-ASCII text as it is; pictures are left out."""
    fields = {name: value for name, value in vars(result).items() if name != "picture"}
    return json.dumps(fields, default=vars, ensure_ascii=False)


def write_rows(rows: Iterable[str], path: Path) -> Path:
    """Write the file; an earlier one stays until the new one is complete."""
    write_whole(path, (f"{line}\n".encode("utf-8", "replace") for line in rows))
    return path


def replace_row(path: Path, result: Result) -> None:
    """Put one result in the place of the row of its learner and exercise; nothing happens where there is none."""
    if not path.exists():
        return
    with open(path, encoding="utf-8", errors="replace") as file:
        write_rows((row(result) if _is_of(result, line) else line.rstrip("\n") for line in file), path)


def _is_of(result: Result, line: str) -> bool:
    try:
        found = json.loads(line)
    except ValueError:
        return False
    return _is_row(found) and (found["learner"], found["exercise"]) == (result.learner, result.exercise)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of an earlier file; none where there is no file, and lines that are damaged are left out."""
    if not path.exists():
        return
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                found = json.loads(line)
            except ValueError:
                continue
            if _is_row(found):
                yield found


def _is_row(found: Any) -> bool:
    """Whether somebody's file still holds, in this line, what we wrote."""
    if not isinstance(found, dict) or not all(isinstance(found.get(name), kind) for name, kind in READ.items()):
        return False
    return all(isinstance(check, dict) and check.keys() >= {"id", "passed", "max_points"} for check in found["checks"])
