"""Read a sheet that somebody handed in: plain YAML, looked at event by event, so that nothing can grow or run.

What was typed becomes observations, as text. What it is worth is judged from them, now and whenever the key is mended.
"""

from __future__ import annotations

from autograder.quiz.cell import read_cell
from autograder.quiz.nodes import List, Map, Node, Text, UnreadableSheet, nodes
from autograder.quiz.refused import quoted
from autograder.records import Observation, Observations

#: Raise when sheets are read in another way, so that they are read again.
FORMAT = "quiz 2"
#: Name of the observation that says whose sheet it is; no question can have it.
WHOSE = ""
_BYTES = 64_000
#: Characters that an answer may have.
ANSWER = 400
_NAME = 100


def read_sheet(text: str, exercise: str) -> Observations:
    """One observation for each question of the sheet: its answer as typed, on one line, and the number of that line.

    A sheet is YAML or, from a notebook, the cell with the answers. A question whose answer cannot be read is an
    observation that says why. Raises UnreadableSheet where none can.
    """
    if len(text) > _BYTES:
        raise UnreadableSheet(f" is larger than {_BYTES // 1000} kB; hand in the sheet with your answers alone")
    top = read_cell(text) or nodes(text)
    if not isinstance(top, Map):
        raise UnreadableSheet(f"{top.line}: this is no sheet; take a fresh one and type the answers into it")
    named, learner = _text(_only(top, "exercise")), _text(_only(top, "learner"))
    if named not in ("", exercise):
        raise UnreadableSheet(f"{top.line}: this is the sheet of {quoted(named)}, not of {exercise}")
    questions = _only(top, "questions")
    if not isinstance(questions, Map):
        line = questions.line if questions else top.line
        raise UnreadableSheet(f"{line}: there are no `questions:`; take a fresh sheet and type the answers into it")
    probes = {WHOSE: Observation(WHOSE, "returned", parts={"learner": learner[:_NAME]})}
    for key, value in questions.pairs:
        name = _text(key)[:_NAME]
        if not name:
            continue
        seen = _observed(name, value)
        if name in probes:
            said = f"line {key.line}: the question '{name}' is there twice; keep one"
            seen = Observation(name, "not_plain", detail=said)
        probes[name] = seen
    return Observations(probes)


def _observed(name: str, question: Node) -> Observation:
    answers = [value for key, value in question.pairs if _text(key) == "answer"] if isinstance(question, Map) else []
    if len(answers) != 1:
        many = "is there more than once; keep one" if answers else "is missing; take a fresh sheet"
        return Observation(name, "not_plain", detail=f"line {question.line}: its `answer:` {many}")
    line, written = answers[0].line, _written(answers[0])
    if written is None:
        return Observation(name, "not_plain", detail=f"line {line}: the answer is a mapping; put the text in quotes")
    if len(written) > ANSWER:
        return Observation(name, "not_plain", detail=f"line {line}: {len(written)} characters are far too many")
    return Observation(name, "returned", parts={"answer": written, "line": line})


def _written(node: Node) -> str | None:
    """An answer as one line of text: lists in brackets, braces as the list they stand for; None for a mapping."""
    if isinstance(node, Text):
        return " ".join(node.text.split())
    inside = node.items if isinstance(node, List) else [key for key, _ in node.pairs]
    if isinstance(node, Map) and any(value != Text(value.line, "") for _, value in node.pairs):
        return None
    parts = [_written(each) for each in inside]
    return None if None in parts else f"[{', '.join(filter(None, parts))}]"


def _only(top: Map, name: str) -> Node | None:
    found = [(key, value) for key, value in top.pairs if _text(key) == name]
    if len(found) > 1:
        raise UnreadableSheet(f"{found[1][0].line}: `{name}:` is there twice; the first is on line {found[0][0].line}")
    return found[0][1] if found else None


def _text(node: Node | None) -> str:
    return " ".join(node.text.split()) if isinstance(node, Text) else ""
