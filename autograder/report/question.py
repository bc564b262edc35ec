"""One question of a quiz on a terminal, and what there is to say about an answer. Takes what is to be drawn as text."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.records import Verdict
from autograder.report.sheet import sign
from autograder.report.terminal import paragraphs, wrap


def draw_question(heading: str, ask: str, choices: Iterable[tuple[str, str]], how: str) -> str:
    """The question, its choices by letter, and what to type."""
    lines = [heading, "", *paragraphs(ask)]
    for letter, text in choices:
        lines += wrap(f"{letter}) {text}", "  ", "     ")
    return "\n".join([*lines, *wrap(f"Type {how}.")])


def draw_answer(verdict: Verdict, *, plain: bool = False) -> str:
    """Whether the answer is right, in words, and why."""
    word = judged(verdict)
    if plain:
        return f"{word}. {verdict.message}"
    return "\n".join(wrap(f"{sign(verdict)} {word}. {verdict.message}", "  ", "    "))


def judged(verdict: Verdict) -> str:
    """What an answer is, in a word or two."""
    return "Right" if verdict.passed else "Partly right" if verdict.points else "Not right"
