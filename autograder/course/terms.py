"""What has to agree in a course.yaml's terms of handing in: due times, the cost of lateness, and ready-made names.

As in `autograder.course.rules`, what has the wrong type is skipped here because `autograder.course.schema` reports it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from autograder.course.rules import amounts, entries_of, is_number, texts
from autograder.course.schema import describe, field_name, subject
from autograder.course.tree import Loc, Problem, Tree

_EXAMPLE = "2026-03-02T18:00+01:00"
#: One form only, because what `fromisoformat` takes besides differs from one Python to the next.
_LOCAL = re.compile(r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d(:\d\d)?", re.ASCII)
_ZONED = re.compile(rf"{_LOCAL.pattern}(Z|[+-]\d\d:\d\d)", re.ASCII)
_OPTIONAL = ("limits", "due", "ready_made")  # of an exercise: the schema takes nothing for their absence


def check_terms(tree: Tree) -> Iterator[Problem]:
    """Everything in the terms that contradicts itself or says nothing, in no particular order."""
    entries = entries_of(tree)
    late, ready_made = tree.data.get("late", {}), tree.data.get("ready_made", {})
    if late is None:
        yield _nothing(tree, ("late",))
    elif isinstance(late, dict):
        yield from _late(tree, late)
    for loc, entry in entries:
        yield from _time(tree, (*loc, "due"), entry.get("due"))
        yield from (_nothing(tree, (*loc, key)) for key in _OPTIONAL if entry.get(key, "") is None)
    if isinstance(ready_made, dict):
        policies = [((*loc, "ready_made"), entry.get("ready_made")) for loc, entry in entries]
        yield from _ready_made(tree, ready_made, [(("ready_made", "policy"), ready_made.get("policy")), *policies])


def _late(tree: Tree, late: dict[str, Any]) -> Iterator[Problem]:
    yield from _time(tree, ("late", "due"), late.get("due"))
    due, extensions = _moment(late.get("due")), late.get("extensions")
    for learner, until in extensions.items() if isinstance(extensions, dict) else ():
        place = ("late", "extensions", learner)
        yield from _time(tree, place, until)
        extended = _moment(until)
        if due and extended and extended < due:
            yield tree.problem(place, f"the extension of '{learner}' ends before everybody's due time, {late['due']}")
    yield from amounts(tree, ("late",), {"grace_minutes": late.get("grace_minutes")}, or_zero=True)
    for key in ("penalty_per_day", "cap"):
        percent = late.get(key)
        if is_number(percent) and (percent < 0 or percent > 100):
            yield tree.problem(("late", key), f"the course: '{key}' in 'late' must be a percentage from 0 to 100")


def _time(tree: Tree, loc: Loc, value: Any) -> Iterator[Problem]:
    if not isinstance(value, str) or not value.strip() or _moment(value):
        return
    if _LOCAL.fullmatch(value):
        fault = f"has no zone; write it as in '{_EXAMPLE}', or with 'Z' for UTC"
    elif _ZONED.fullmatch(value):
        fault = f"is a time that does not exist, '{value}'; a right one is '{_EXAMPLE}'"
    else:
        fault = f"must be a date, a time and a zone, as in '{_EXAMPLE}', not {describe(value)}"
    about, rest = subject(tree.data, loc)
    yield tree.problem(loc, f"{about}: {field_name(rest)} {fault}")


def _moment(value: Any) -> datetime | None:
    """The moment a value says, if it says one in the one accepted form."""
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) and _ZONED.fullmatch(value) else None
    except ValueError:
        return None


def _ready_made(tree: Tree, ready_made: dict[str, Any], policies: list[tuple[Loc, Any]]) -> Iterator[Problem]:
    names = ready_made.get("names", [])
    seen: set[str] = set()
    for place, name in texts(("ready_made", "names"), names):
        if name in seen:
            yield tree.problem(place, f"'{name}' is twice in the 'names' of 'ready_made'")
        elif name.strip() and not name.isidentifier():
            advice = f"; '{last}' alone is enough" if (last := name.rpartition(".")[2]).isidentifier() else ""
            yield tree.problem(place, f"'ready_made' names '{name}', which cannot be a name in Python{advice}")
        seen.add(name)
    for place, policy in policies:
        if names == [] and policy in ("flag", "forbid"):
            about, _ = subject(tree.data, place)
            yield tree.problem(place, f"{about} is to {policy} what is ready-made, but 'ready_made' has no 'names'")


def _nothing(tree: Tree, loc: Loc) -> Problem:
    about, (name,) = subject(tree.data, loc)
    return tree.problem(loc, f"{about}: '{name}' has no value; write one, or leave the line out")
