"""Write the sheet that a quiz is answered on: questions, choices and empty answers, and nothing about what is right."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping

from autograder.quiz.draw import DEFAULT, Quiz
from autograder.quiz.questions import Question
from autograder.quiz.typed import LETTERS

WIDTH = 100


def sheet(quiz: Quiz, learner: str = DEFAULT, answers: Mapping[str, str] | None = None) -> str:
    """The YAML text of a learner's sheet; without a learner, the one that everybody may use. `answers` fills it in."""
    return "\n".join(_lines(quiz, learner, answers or {})) + "\n"


def _lines(quiz: Quiz, learner: str, answers: Mapping[str, str]) -> Iterator[str]:
    exercise = quiz.exercise
    points = {check.id: check.points for check in exercise.checks}
    yield f"# {exercise.id}: {exercise.title} ({exercise.points:g} points, about {exercise.minutes} minutes)"
    yield "#"
    for line in quiz.lesson.splitlines():
        yield f"# {line}".rstrip()
    yield "#"
    yield "# Type each answer after its `answer:` and change nothing else. An empty one costs only its own points."
    name = exercise.short
    yield f"# `headcount check {name}` marks the sheet. `headcount quiz {name}` asks you one question after the other."
    yield f"exercise: {exercise.id}"
    if learner != DEFAULT:
        yield f"learner: {json.dumps(learner, ensure_ascii=False)}"
    yield "questions:"
    for name, question in quiz.draw(learner).items():
        yield ""
        own = "  # these numbers are yours alone" if learner != DEFAULT and quiz.varies(name) else ""
        yield f"  {name}:{own}"
        yield f"    points: {points[name]:g}"
        yield from _question(question)
        answer = answers.get(name, "")
        yield f"    answer: {json.dumps(answer, ensure_ascii=False) if answer else ''}".rstrip()


def _question(question: Question) -> Iterator[str]:
    yield "    ask: |-"
    for line in asked(question).splitlines():
        yield f"      {line}".rstrip()
    if question.options:
        yield "    choices:"
    for letter, option in zip(LETTERS, question.options, strict=False):
        yield f"      {letter}: {json.dumps(' '.join(option.split()), ensure_ascii=False)}"
    yield f"    # type {question.how}"


def asked(question: Question) -> str:
    """The text of a question: paragraphs filled to the width of a sheet, indented lines as the author wrote them."""
    paragraphs = textwrap.dedent(question.ask).strip("\n").split("\n\n")
    filled = (each if "\n " in f"\n{each}" else textwrap.fill(" ".join(each.split()), WIDTH) for each in paragraphs)
    return "\n\n".join(filled)
