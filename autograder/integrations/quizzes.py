"""The quizzes of a course as learning platforms know questions: choices, one number, or words that are compared.

Everybody gets the numbers that the sheets in exercises/ have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from autograder.course.model import Course
from autograder.quiz import Number, Numbers, OneOf, Ordering, Shape, SomeOf
from autograder.quiz.arithmetic import UNITS
from autograder.quiz.draw import DEFAULT, load_quiz
from autograder.quiz.questions import Question
from autograder.quiz.sheet import asked
from autograder.quiz.typed import LETTERS
from autograder.quiz.written import Wrong

Kind: TypeAlias = Literal["one", "some", "number", "words"]
#: What means something in HTML, in Markdown, or in both.
SPECIAL = "&<>*_$`[]^|\\"
IN_UNIT = {"": "a number", "%": "a percentage, without the sign", "bytes": "a number of bytes, without a unit"}


@dataclass(frozen=True)
class Answer:
    """One answer that is known, what it is worth as a share of the points, and what is said to it in HTML.

    `text` is HTML for a choice, a decimal number, or the words that have to be typed.
    """

    text: str
    share: float
    says: str


@dataclass(frozen=True)
class Item:
    """One question."""

    name: str
    points: float
    ask: str
    """In HTML, on one line."""
    kind: Kind
    answers: tuple[Answer, ...]
    otherwise: str = ""
    """What is said to any other answer that is typed, in HTML."""
    within: str = "0"
    """How far off a number may be, as a decimal number."""


@dataclass(frozen=True)
class Sheet:
    """One quiz: its questions and the text above them, in HTML."""

    id: str
    title: str
    lesson: str
    items: tuple[Item, ...]


def sheets(course: Course) -> list[Sheet]:
    """All quizzes of the course. Raises CourseError in a handout, ContentError where a quiz.py fails."""
    course.require_solutions()
    return [_sheet(course, exercise.id) for exercise in course.exercises if exercise.kind == "quiz"]


def _sheet(course: Course, id: str) -> Sheet:
    quiz = load_quiz(course, course.exercise(id))
    points = {check.id: check.points for check in quiz.exercise.checks}
    items = tuple(item_of(f"{id}::{name}", points[name], each) for name, each in quiz.draw(DEFAULT).items())
    return Sheet(id, quiz.exercise.title, as_html(quiz.lesson), items)


def item_of(name: str, points: float, question: Question) -> Item:
    """A question as platforms know it. Raises TypeError for a kind that none of them has."""
    ask = as_html(asked(question))
    match question:
        case OneOf(choices=choices):
            told = tuple(Answer(inline(each.text), float(each.right), inline(each.says)) for each in choices)
            return Item(name, points, ask, "one", told)
        case SomeOf(choices=choices):
            right = sum(each.right for each in choices)
            share = {True: 1 / right, False: -1 / (len(choices) - right)}  # as `SomeOf` marks it
            told = tuple(Answer(inline(each.text), share[each.right], inline(each.says)) for each in choices)
            return Item(name, points, ask, "some", told)
        case Number(unit=unit):
            told = tuple(_known(question, lambda value: [question.write(value)]))
            within = decimal(Fraction(question.within) / UNITS[unit][""])
            ask += as_html(f"Answer with {IN_UNIT[unit]}.")
            return Item(name, points, ask, "number", told, inline(question.otherwise), within)
        case Numbers() | Shape() | Ordering():
            told = tuple(_known(question, lambda value: _spellings(question, value)))
            how = as_html(_how(question))
            return Item(name, points, ask + how, "words", told, inline(question.otherwise))
    raise TypeError(f"{name}: no platform knows {type(question).__name__}")


def _known(question: Number | Numbers | Shape | Ordering, write: Any) -> Iterator[Answer]:
    """The right answer and the known wrong ones, in every way of writing them that there is room for."""
    for place, known in enumerate((Wrong(question.answer, question.says), *question.wrong)):
        yield from (Answer(text, float(place == 0), inline(known.says)) for text in write(known.value))


def _spellings(question: Numbers | Shape | Ordering, value: Any) -> list[str]:
    """How people write the same list; platforms compare letter by letter."""
    usual = question.write(value)
    parts = [part.strip() for part in usual.strip("[]()").split(",")]
    lists = [f"{a}{between.join(parts)}{z}" for a, z in ("()", "[]", ("", "")) for between in (", ", ",")]
    return list(dict.fromkeys([usual, *lists]))


def _how(question: Numbers | Shape | Ordering) -> str:
    if isinstance(question, Ordering):
        listed = "\n".join(f" {letter}) {each}" for letter, each in zip(LETTERS, question.options, strict=False))
        return f"{listed}\n\nAnswer with all letters, first to last, as in {', '.join(LETTERS[:3])}."
    if isinstance(question, Numbers):
        return f"Answer with all numbers in one list, row by row, as in {question.example.replace('], [', ', ')}."
    return f"Answer with {question.how.replace('  ', ' ')}."


def as_html(text: str) -> str:
    """Paragraphs as HTML on one line, lines that are indented as they stand."""
    return "".join(_paragraph(each) for each in text.strip("\n").split("\n\n") if each.strip())


def _paragraph(text: str) -> str:
    lines = [inline(line.rstrip()) for line in text.strip("\n").splitlines()]
    if any(line.startswith(" ") for line in lines):
        return f"<pre>{'<br />'.join(lines)}</pre>"
    return f"<p>{' '.join(lines)}</p>"


def inline(text: str) -> str:
    """Text as HTML that Markdown takes for the same text."""
    joined = " ".join(text.split()) if "\n" in text else text
    return "".join(f"&#{ord(letter)};" if letter in SPECIAL else letter for letter in joined)


def decimal(value: float | Fraction) -> str:
    """A number without exponent or trailing zeros."""
    return f"{float(value):.9f}".rstrip("0").rstrip(".") or "0"


def scale(items: Sequence[Item], step: Fraction) -> int:
    """The smallest number that makes all points multiples of `step`. Raises ValueError where none below 1000 does."""
    points = [Fraction(item.points).limit_denominator(10_000) for item in items]
    for factor in range(1, 1000):
        if all((each * factor / step).denominator == 1 for each in points):
            return factor
    raise ValueError("no whole number makes these points even")
