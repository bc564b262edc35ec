"""The shape of course.yaml: the dataclasses of `autograder.course.model`, and pydantic's complaints in plain words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from autograder.course.errors import did_you_mean
from autograder.course.model import Check, Course, Exercise, Family, Late, Limits, ReadyMade, Stage
from autograder.course.tree import Loc, Problem, Tree

_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping ('key: value' lines)",
    "dataclass_type": "a mapping ('key: value' lines)",
}
#: Mappings of the file that become tuples of the model: the field their keys turn into, and the class of a value.
_NAMED: dict[str | int, tuple[str, type]] = {
    "stages": ("letter", Stage),
    "families": ("name", Family),
    "checks": ("id", Check),
}
#: Mappings of the file that are one dataclass of the model.
_SINGLE: dict[str | int, type] = {"limits": Limits, "late": Late, "ready_made": ReadyMade}
_NOT_WRITTEN = {"root", "sha256"}  # fields of Course that come from where the file lies, and from its bytes


def validate(tree: Tree, root: Path, sha256: str) -> tuple[Course | None, list[Problem]]:
    """The course a tree describes, or every way in which its shape is wrong."""
    written = tree.data
    problems = [_unknown_key(tree, (name,)) for name in sorted(_NOT_WRITTEN & written.keys())]
    problems += [_unknown_key(tree, loc) for loc in _names_inside(written)]
    shaped = _named_to_lists(written) | {"root": str(root), "sha256": sha256}
    try:
        # JSON mode is strict about types and still takes a JSON array for a tuple, which strict Python mode does not.
        course = _adapter().validate_json(json.dumps(shaped))
    except ValidationError as error:
        return None, problems + [_problem(tree, dict(each)) for each in error.errors(include_url=False)]
    return (None if problems else course), problems


def subject(data: Any, loc: Loc) -> tuple[str, Loc]:
    """What a path is about, in words, and the rest of the path: ("exercise 'k1_scale_recipe'", ("hints", 0))."""
    match loc:
        case ("exercises", int(index), "checks", step, *rest):
            exercise, _ = subject(data, loc[:2])
            return f"check '{_name(data['exercises'][index]['checks'], step)}' of {exercise}", tuple(rest)
        case ("exercises", int(index), *rest):
            entry = data["exercises"][index]
            name = entry.get("id") if isinstance(entry, dict) else None
            return (f"exercise '{name}'" if isinstance(name, str) else f"exercise number {index + 1}"), tuple(rest)
        case ("families", step, *rest):
            return f"family '{_name(data['families'], step)}'", tuple(rest)
        case ("stages", step, *rest):
            return f"stage '{_name(data['stages'], step)}'", tuple(rest)
    return "the course", loc


def field_name(rest: Loc) -> str:
    """The rest of a path in words: "item 2 of 'hints'", or "'S1' in 'seeds'"."""
    words = ""
    for step in rest:
        if isinstance(step, int):
            words = f"item {step + 1} of {words}" if words else f"item {step + 1}"
        else:
            words = f"'{step}' in {words}" if words else f"'{step}'"
    return words


def describe(value: Any) -> str:
    """A value as a message quotes it: "the text 'soon'", "true" or "a list"."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text '{_short(value)}'"
        case int() | float():
            return f"the number {_short(str(value))}"
        case dict():
            return "a mapping"
    return "a list"


@cache
def _adapter() -> TypeAdapter[Course]:
    strict = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
    for kind in (Stage, Family, Check, *_SINGLE.values(), Exercise, Course):
        with_config(strict)(kind)
    return TypeAdapter(Course)


def _named_to_lists(data: dict[str, Any]) -> dict[str, Any]:
    shaped = data | {key: _to_list(data[key], key) for key in ("stages", "families") if key in data}
    if isinstance(entries := data.get("exercises"), list):
        shaped["exercises"] = [
            entry | {"checks": _to_list(entry["checks"], "checks")}
            if isinstance(entry, dict) and "checks" in entry
            else entry
            for entry in entries
        ]
    return shaped


def _to_list(mapping: Any, kind: str) -> list[Any] | None:
    if not isinstance(mapping, dict):
        return None
    if kind == "stages":
        return [{"letter": letter, "title": title} for letter, title in mapping.items()]
    identity, _ = _NAMED[kind]
    return [value | {identity: name} if isinstance(value, dict) else value for name, value in mapping.items()]


def _names_inside(data: dict[str, Any]) -> Iterator[Loc]:
    """Where a value repeats the name that its key already gives."""
    entries = data.get("exercises")
    places: list[tuple[Loc, Any]] = [(("families",), data.get("families"))]
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        places.append((("exercises", index, "checks"), entry.get("checks") if isinstance(entry, dict) else None))
    for loc, mapping in places:
        identity, _ = _NAMED[loc[-1]]
        for name, value in mapping.items() if isinstance(mapping, dict) else ():
            if isinstance(value, dict) and identity in value:
                yield (*loc, name, identity)


def _problem(tree: Tree, error: dict[str, Any]) -> Problem:
    loc, kind, got = error["loc"], error["type"], error["input"]
    about, rest = subject(tree.data, loc)
    if kind == "missing":
        *above, name = rest
        inside = f" in {field_name(tuple(above))}" if above else ""
        return tree.problem(loc, f"{about} has no '{name}'{inside}")
    if kind == "unexpected_keyword_argument":
        return _unknown_key(tree, loc)
    expected = _EXPECTED.get(kind, f"different ({error['msg']})")
    near = ""
    if kind == "literal_error":
        expected = error["ctx"]["expected"]
        near = (
            did_you_mean(got, expected.replace("'", "").replace(" or ", ", ").split(", "))
            if isinstance(got, str)
            else ""
        )
    elif loc[-1] in _NAMED:
        expected, got = _EXPECTED["dict_type"], _value(tree.data, loc)
    quotes = ""
    if kind == "string_type":
        number = isinstance(got, (bool, int, float))
        quotes = "; put it in quotes" if number else "; text with ': ' in it needs quotes" * isinstance(got, dict)
    field = field_name(rest)
    what = about if not rest else field if about == "the course" else f"{about}: {field}"
    return tree.problem(loc, f"{what} must be {expected}, not {describe(got)}{quotes}{'.' if near else ''}{near}")


def _unknown_key(tree: Tree, loc: Loc) -> Problem:
    about, rest = subject(tree.data, loc)
    *above, key = rest
    inside = f" in {field_name(tuple(above))}" if above else ""
    near = did_you_mean(str(key), _keys(loc))
    return tree.problem(loc, f"{about} has an unknown key '{key}'{inside}.{near}", at_key=True)


def _keys(loc: Loc) -> set[str]:
    """The keys that belong where the last step of a path stands."""
    match loc[:-1]:
        case ():
            return {each.name for each in fields(Course)} - _NOT_WRITTEN
        case (*_, kind) if kind in _SINGLE:
            return {each.name for each in fields(_SINGLE[kind])}
        case ("exercises", _):
            return {each.name for each in fields(Exercise)}
        case (*_, kind, _) if kind in _NAMED:
            identity, owner = _NAMED[kind]
            return {each.name for each in fields(owner)} - {identity}
    return set()


def _name(mapping: dict[str, Any], step: str | int) -> str:
    return step if isinstance(step, str) else list(mapping)[step]


def _value(data: Any, loc: Loc) -> Any:
    for step in loc:
        data = data[step]
    return data


def _short(text: str) -> str:
    return text if len(text) < 40 else f"{text[:37]}..."
