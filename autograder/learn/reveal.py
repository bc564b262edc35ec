"""The model answer: for comparison once an exercise is solved, or for those who have tried and want to see it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

from autograder.course.errors import ContentError
from autograder.course.files import parse, solution_source
from autograder.course.model import Course, Exercise
from autograder.course.stubs import NOT_WRITTEN
from autograder.learn.progress import Progress
from autograder.report.terminal import wrap

#: So many different answers somebody has to have checked before an unsolved exercise is revealed.
TRIES = 3
ASK = "Show the model answer? It will be noted as revealed."
QUESTION = f"{ASK} Type yes to see it"
_MARKS = re.compile(r"^ *#+\s*(BEGIN|END)\s+SOLUTION\s*\n|  # solution only$", re.IGNORECASE | re.MULTILINE)
_STEPS = {ast.For: "a for loop", ast.While: "a while loop", ast.ListComp: "a list comprehension"}
_MOST = 6


@dataclass(frozen=True)
class Revealed:
    """The model answer: what there is to say about it, a paragraph each, and its code."""

    words: tuple[str, ...]
    code: str


def refusal(course: Course, progress: Progress, exercise: Exercise) -> str:
    """Why the model answer is not shown now, in a sentence; empty where it may be."""
    record, name = progress.of(exercise), exercise.short
    if course.released or not course.folder(exercise).is_dir():
        return "Your instructor keeps the solutions of this course; they are not in this folder."
    if exercise.kind == "text":
        return f"`headcount check {name}` shows a model text once yours is written."
    if exercise.kind != "code":
        return f"There is no model answer to show for {name}; `headcount check {name}` says what each answer is worth."
    missing = TRIES - len(record.tries)
    if record.solved or record.revealed or missing <= 0:
        return ""
    return (
        f"{name} can still be yours: the model answer is shown once it is solved, or after {TRIES} different tries. "
        f"{missing} to go. A try is a changed answer that was checked. `headcount hint {name}` helps without giving "
        "it away."
    )


def needs_a_yes(progress: Progress, exercise: Exercise) -> bool:
    """Whether showing the model answer takes something away that the learner could still find."""
    record = progress.of(exercise)
    return not (record.solved or record.revealed)


def draw_refusal(refused: str) -> str:
    """Why not, as it stands on a terminal."""
    return "\n".join(wrap(refused))


def draw_revealed(revealed: Revealed) -> str:
    """The model answer as it stands on a terminal."""
    return "\n".join([*wrap("\n\n".join(revealed.words)), "", indent(revealed.code, "    ")])


def reveal(course: Course, progress: Progress, exercise: Exercise, answer: Path) -> Revealed:
    """What there is to say about the model answer, and its code; it is noted that it was shown.

    `answer` is the learner's own file; after solving, it is said where the ideas of the two differ.
    """
    source = solution_source(course, exercise)
    solved = progress.of(exercise).solved
    progress.note_reveal(exercise)
    words = ["One right answer, for comparison." if solved else "The model answer. Read it, then write it yourself."]
    words += [f"The idea: {hint}" for hint in exercise.hints[1:2]]
    words += _differences(answer, source) if solved else []
    if others := len(list((course.folder(exercise) / "styles").glob("*.py"))):
        words.append(f"Other right answers in solutions/{exercise.id}/styles: {others}.")
    return Revealed(tuple(words), _code(source))


def _code(source: str) -> str:
    """The model answer without its lesson, which the learner's file has too, and without marks."""
    first = parse(source, "solution.py").body[0]
    lines = source.splitlines(keepends=True)
    lesson = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return _MARKS.sub("", "".join(lines[first.end_lineno if lesson else 0 :])).strip("\n")


def _differences(answer: Path, source: str) -> Iterator[str]:
    """In which means the two answers differ: not the lines, what they call and how they go about it."""
    try:
        text = answer.read_text("utf-8")
        yours, model = _means(text), _means(source)
    except (OSError, ValueError, ContentError, RecursionError, MemoryError):
        return
    if NOT_WRITTEN in text:
        return
    only_model, only_yours = _listed(model - yours), _listed(yours - model)
    if only_model or only_yours:
        parts = [f"only this one uses {only_model}"] * bool(only_model)
        parts += [f"only yours uses {only_yours}"] * bool(only_yours)
        yield f"Where the two differ: {'; '.join(parts)}."
    else:
        yield "Yours goes about it with the same means."


def _means(source: str) -> set[str]:
    """What is called and repeated in a source."""
    found = set()
    for node in ast.walk(parse(source, "the answer")):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            found.add(node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id)
        elif step := _STEPS.get(type(node)):
            found.add(step)
    return found


def _listed(means: set[str]) -> str:
    shown = sorted(means)[:_MOST]
    return ", ".join(shown) + (f" and {len(means) - _MOST} more" if len(means) > _MOST else "")
