"""course.yaml as plain data that remembers where everything stands.

Only the plain part of YAML 1.2 is read: mappings with text keys, lists, and text, numbers, true, false and null.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from autograder.course.errors import CourseError

Loc: TypeAlias = tuple[str | int, ...]
"""A path from the top, such as ("exercises", 2, "hints", 0). A number may also count the pairs of a mapping."""

_TAG = "tag:yaml.org,2002:"
_TEXT = (_TAG + "str", _TAG + "timestamp")  # YAML 1.2 knows no dates: a date is the text it is written as
_OTHER = tuple(_TAG + kind for kind in ("int", "float", "bool", "null"))
_KNOWN = (*_TEXT, *_OTHER, *(_TAG + kind for kind in ("map", "seq", "merge")))
_HALF = re.compile("[\ud800-\udfff]")
_ADVICE = {
    "mapping values are not allowed": "text that contains ': ' needs quotes",
    r"'\t'": "indent with spaces, not with tabs",
    "cannot start any token": "text that starts with a special character needs quotes",
    "while scanning an a": "text that starts with '*' or '&' needs quotes",
    "undefined alias": "text that starts with '*' needs quotes",
    "could not find expected ':'": "a space belongs after each ':'",
    "unexpected end of stream": "a quotation mark is missing its partner",
    "while parsing a flow": "a bracket is missing its partner",
    "expected <block end>": "the lines of one block must be indented alike",
}


class Problem(NamedTuple):
    """One thing wrong in course.yaml; line and column count from 1. Problems sort in the order of the file."""

    line: int
    column: int
    text: str


@dataclass(frozen=True)
class Tree:
    """What a YAML file says, and the positions of its parts."""

    path: str
    node: Node
    data: dict[str, Any]
    problems: list[Problem] = field(default_factory=list)
    """What had to be left out while reading: repeated keys, and keys that are not text."""

    def problem(self, loc: Loc, text: str, *, at_key: bool = False) -> Problem:
        """A problem at the value of `loc`, or at its key; at the nearest thing above where it is not in the file."""
        key, value = None, self.node
        for step in loc:
            pair = _child(value, step)
            if pair is None:
                break
            key, value = pair
        unwritten = isinstance(value, ScalarNode) and not value.value and not value.style
        return _problem(key if key and (at_key or unwritten) else value, text)

    def report(self, problems: list[Problem]) -> tuple[str, ...]:
        """One line for each problem, in the order of the file."""
        return tuple(dict.fromkeys(f"{self.path}:{line}:{column}: {text}" for line, column, text in sorted(problems)))


def read_tree(text: str, path: str, *, what: str = "a course", first: str = "title: ...") -> Tree:
    """Read YAML text; `path`, `what` it should be and its `first` line only stand in messages.

    Raises CourseError where the text is no YAML, has no mapping at the top, or uses anchors, aliases or tags.
    """
    yaml = YAML(typ="safe", pure=True)
    try:
        node = yaml.compose(text)
    except RecursionError:
        raise CourseError((f"{path}: lists and mappings are nested too deeply",)) from None
    except (MarkedYAMLError, ReaderError) as error:
        raise CourseError((f"{path}:{syntax_problem(error, text)}",)) from None
    if node is None:
        raise CourseError((f"{path}: the file is empty; {what} starts with '{first}'",))
    if not isinstance(node, MappingNode):
        found = "a list" if isinstance(node, SequenceNode) else "only text"
        raise CourseError((f"{path}:1:1: '{first}' and other keys belong at the top, but there is {found}",))
    if refused := sorted(set(_refused(node))):
        raise CourseError(tuple(f"{path}:{line}:{column}: {words}" for line, column, words in refused))
    problems: list[Problem] = []
    return Tree(path, node, _plain(node, yaml, problems), problems)


def syntax_problem(error: MarkedYAMLError | ReaderError, text: str) -> str:
    """What the YAML reader found fault with, as "line:column: words", with advice for what people get wrong most."""
    if isinstance(error, ReaderError):
        before = text[: error.position].split("\n")
        place = f"{len(before)}:{len(before[-1]) + 1}"
        return f"{place}: a character that no text file should have (code {error.character})"
    mark = error.problem_mark or error.context_mark
    said = ", ".join(part for part in (error.context, error.problem) if part)
    advice = next((f" ({words})" for sign, words in _ADVICE.items() if sign in said), "")
    place = f"{mark.line + 1}:{mark.column + 1}: " if mark else " "
    return f"{place}this is not valid YAML: {said}{advice}"


def _refused(node: Node) -> Iterator[Problem]:
    """What a course does not use, below a node. An anchored one is not entered: that is how aliases would multiply."""
    if node.tag not in _KNOWN:
        yield _problem(node, f"tags ({str(node.tag).replace(_TAG, '!!')}) are not used in a course")
    if node.anchor:
        yield _problem(node, f"write it out: anchors and aliases (&{node.anchor}) are not used in a course")
    elif isinstance(node, MappingNode):
        for key, value in node.value:
            yield from _refused(key)
            yield from _refused(value)
    elif isinstance(node, SequenceNode):
        for value in node.value:
            yield from _refused(value)
    elif _HALF.search(node.value):
        yield _problem(node, "this text holds half of a character (an escape from \\ud800 to \\udfff)")


def _plain(node: Node, yaml: Any, problems: list[Problem]) -> Any:
    if isinstance(node, SequenceNode):
        return [_plain(value, yaml, problems) for value in node.value]
    if isinstance(node, MappingNode):
        return _mapping(node, yaml, problems)
    if node.tag in _OTHER:
        with suppress(ValueError, LookupError):  # thousands of digits, or a tag on the wrong text: it stays text
            return yaml.constructor.construct_object(node)
    return node.value


def _mapping(node: MappingNode, yaml: Any, problems: list[Problem]) -> dict[str, Any]:
    first: dict[str, Node] = {}
    kept = []
    for key, value in node.value:
        if not isinstance(key, ScalarNode) or key.tag not in _TEXT:
            name = f"'{key.value}'" if isinstance(key, ScalarNode) else "before ':'"
            problems.append(_problem(key, f"the key {name} must be text; put it in quotes"))
        elif key.value in first:
            line = first[key.value].start_mark.line + 1
            problems.append(_problem(key, f"the key '{key.value}' is used twice; the first is on line {line}"))
        else:
            first[key.value] = key
            kept.append((key, value))
    node.value = kept  # so that positions and data count the same pairs
    return {key.value: _plain(value, yaml, problems) for key, value in kept}


def _child(node: Node, step: str | int) -> tuple[Node | None, Node] | None:
    if isinstance(node, MappingNode):
        if isinstance(step, int):
            pairs: list[tuple[Node, Node]] = node.value
            return pairs[step]
        return next(((key, value) for key, value in node.value if key.value == step), None)
    if isinstance(node, SequenceNode) and isinstance(step, int):
        return None, node.value[step]
    return None


def _problem(node: Node, text: str) -> Problem:
    # Quoted parts of the file may hold line breaks and control characters; a message is one plain line.
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return Problem(node.start_mark.line + 1, node.start_mark.column + 1, line)
