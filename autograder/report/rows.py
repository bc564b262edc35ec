"""A result as one line of results.jsonl."""

from __future__ import annotations

import json
from dataclasses import asdict

from autograder.records import Result


def row(result: Result) -> str:
    """JSON with the field names of `records.Result`, on one line, non-ASCII text as it is."""
    fields = asdict(result)
    return json.dumps(fields, ensure_ascii=False)
