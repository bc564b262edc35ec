"""QTI 1.2 as Canvas imports it, one zip for each quiz, written by text2qti (`pip install headcount[quiz]`)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from autograder.course.errors import CourseError, installing
from autograder.integrations.quizzes import Answer, Item, Sheet, inline, scale

#: What text2qti would make curly.
QUOTES = {ord(sign): f"&#{ord(sign)};" for sign in "\"'"}
#: Stands for the three dots before what is said to a choice, while others are written as they are.
FEEDBACK = "\x00"
#: text2qti takes whole and half points.
STEP = Fraction(1, 2)


def write(sheet: Sheet) -> bytes:
    """The zip of one quiz. Raises CourseError where text2qti is not installed or does not take it."""
    try:
        from text2qti.config import Config
        from text2qti.err import Text2qtiError
        from text2qti.qti import QTI
        from text2qti.quiz import Quiz
    except ModuleNotFoundError:
        mend = installing("'headcount[quiz]'")
        need = f"is written by text2qti, which is not installed here: {mend}"
        raise CourseError((f"--format qti: {need}",)) from None
    try:
        zipped: Any = QTI(Quiz(source(sheet), config=Config(), source_name=sheet.id))
    except Text2qtiError as problem:
        raise CourseError(
            (f"--format qti: text2qti cannot take this quiz: {' '.join(str(problem).split())}",)
        ) from None
    return bytes(zipped.zip_bytes())


def source(sheet: Sheet) -> str:
    """The quiz in the language of text2qti. HTML on one line stands for itself there, but for typewriter signs."""
    text = "\n".join(_lines(sheet)) + "\n"
    return text.translate(QUOTES).replace("--", "&#45;-").replace("...", "&#46;..").replace(FEEDBACK, "...")


def _lines(sheet: Sheet) -> Iterator[str]:
    factor = scale(sheet.items, STEP)
    yield f"Quiz title: {inline(sheet.title)}"
    if factor > 1:
        yield f"Quiz description: Points are {factor} times those of the course, which has smaller parts of a point."
    yield f"\nText title: {inline(sheet.id)}\nText: {sheet.lesson}"
    for number, item in enumerate(sheet.items, start=1):
        yield f"\nTitle: {inline(item.name)}\nPoints: {item.points * factor:g}"
        yield f"{number}. {item.ask}"
        yield from _answers(item)


def _answers(item: Item) -> Iterator[str]:
    if item.kind in ("one", "some"):
        for letter, answer in zip("abcdefghij", item.answers, strict=False):
            star = "*" * (answer.share > 0)
            mark = f"{star}{letter})" if item.kind == "one" else f"[{star or ' '}]"
            yield f"{mark} {answer.text}\n{FEEDBACK} {answer.says}"
        return
    right = [answer for answer in item.answers if answer.share == 1]
    yield f"+ {right[0].says}\n- {item.otherwise}"
    for answer in right:
        yield f"* {answer.text}" if item.kind == "words" else f"= {_number(item, answer)}"


def _number(item: Item, answer: Answer) -> str:
    exact = item.within == "0" and "." not in answer.text
    return answer.text if exact else f"{answer.text} +- {item.within}"
