"""YAML from strangers, looked at event by event, so that nothing in it can multiply, be made or run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

_EVENTS = 5_000
_DEPTH = 10
_FRESH = "take a fresh one and type the answers into it"


class UnreadableSheet(Exception):
    """Raised where a file is no sheet of the exercise. The text starts with a line number where one is to blame."""


@dataclass(frozen=True)
class Text:
    """A word, a number or nothing at all, as it was typed; lines count from 1."""

    line: int
    text: str


@dataclass(frozen=True)
class List:
    """A list, with the line it starts on."""

    line: int
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Map:
    """A mapping as pairs, so that keys written twice can be seen."""

    line: int
    pairs: tuple[tuple[Node, Node], ...]


Node: TypeAlias = Text | List | Map


def nodes(text: str) -> Node:
    """What the one document of a YAML text holds. Raises UnreadableSheet.

    Anchors, aliases and tags are refused, whatever they are for.
    """
    from ruamel.yaml.error import MarkedYAMLError  # imported late, as only sheets need it
    from ruamel.yaml.reader import ReaderError

    from autograder.course.tree import syntax_problem

    events = _events(text)
    try:
        for event in events:
            if _kind(event) == "DocumentStart":
                break
        else:
            raise UnreadableSheet(f" is empty; {_FRESH}")
        node = _node(next(events), events, 0)
        if any(_kind(event) == "DocumentStart" for event in events):
            raise UnreadableSheet(" holds more than one sheet (a line of ---); keep one")
        return node
    except (MarkedYAMLError, ReaderError) as error:
        raise UnreadableSheet(syntax_problem(error, text)) from None
    except (ValueError, RecursionError):  # odd escapes and numbers that the library stumbles over
        raise UnreadableSheet(f" cannot be read as YAML; {_FRESH}") from None


def _events(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML

    for count, event in enumerate(YAML(typ="safe", pure=True).parse(text)):
        line = event.start_mark.line + 1
        if count > _EVENTS:
            raise UnreadableSheet(f"{line}: there is far too much in this file for a sheet")
        if _kind(event) == "Alias" or getattr(event, "anchor", None):
            raise UnreadableSheet(f"{line}: an answer that starts with * or & needs quotes")
        if getattr(event, "tag", None):
            raise UnreadableSheet(f"{line}: an answer that starts with ! needs quotes")
        yield event


def _kind(event: Any) -> str:
    return type(event).__name__.removesuffix("Event")


def _node(event: Any, events: Iterator[Any], depth: int) -> Node:
    line = event.start_mark.line + 1
    if depth > _DEPTH:
        raise UnreadableSheet(f"{line}: lists are nested too deeply")
    if _kind(event) == "Scalar":
        return Text(line, event.value)
    inside = []
    while _kind(inner := next(events)) not in ("SequenceEnd", "MappingEnd"):
        inside.append(_node(inner, events, depth + 1))
    if _kind(event) == "SequenceStart":
        return List(line, tuple(inside))
    return Map(line, tuple(zip(inside[::2], inside[1::2], strict=True)))
