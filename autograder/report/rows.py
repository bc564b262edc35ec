"""Results as lines of results.jsonl: written as a whole or not at all, one result in memory at a time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.records import Result


def row(result: Result) -> str:
    """JSON with the field names of `records.Result`, on one line, non-ASCII text as it is."""
    return json.dumps(asdict(result), ensure_ascii=False)


def write_rows(rows: Iterable[str], path: Path) -> Path:
    """Write the file; an earlier one stays until the new one is complete."""
    draft = path.with_name(f".{path.name}.part")
    try:
        with open(draft, "w", encoding="utf-8", errors="replace") as file:
            for line in rows:
                file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    return path


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
            if isinstance(found, dict) and found.keys() >= {"learner", "exercise", "points", "verdict", "checks"}:
                yield {"misconceptions": [], "late_days": 0, "message": ""} | found
