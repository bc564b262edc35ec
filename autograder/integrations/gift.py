"""GIFT: a text file of questions that Moodle and many others import. It knows no points; they stand in comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograder.integrations.quizzes import Answer, Item, Sheet, decimal

#: What separates the parts of a question, and the backslash that takes their meaning away.
CONTROL = "\\~=#{}:"


def write(sheets: Sequence[Sheet], title: str) -> str:
    """A category for each quiz, its lesson as a description, then its questions."""
    return "\n".join(block for sheet in sheets for block in _sheet(sheet, title))


def _sheet(sheet: Sheet, title: str) -> Iterator[str]:
    category = f"{title}/{sheet.title}".replace("\n", " ")
    yield f"$CATEGORY: {category}\n"
    yield f"::{escaped(sheet.id)}::[html]{escaped(sheet.lesson)}\n"
    for item in sheet.items:
        lines = "\n".join(_answers(item))
        start = "{#" if item.kind == "number" else "{"
        yield f"// {item.points:g} points\n::{escaped(item.name)}::[html]{escaped(item.ask)}{start}\n{lines}\n}}\n"


def _answers(item: Item) -> Iterator[str]:
    for answer in item.answers:
        yield f"\t{_sign(item, answer)}{_text(item, answer)}#{escaped(answer.says)}"
    if item.otherwise:
        yield f"\t{'~' if item.kind == 'number' else '=%0%*'}#{escaped(item.otherwise)}"


def _sign(item: Item, answer: Answer) -> str:
    """Right or wrong, with the share in percent where it is not all or nothing."""
    if item.kind == "one":
        return "=" if answer.share == 1 else "~"
    percent = f"%{round(100 * answer.share, 5):g}%" if answer.share < 1 else ""
    return ("~" if item.kind == "some" else "=") + (percent or ("%100%" if item.kind == "some" else ""))


def _text(item: Item, answer: Answer) -> str:
    return f"{answer.text}:{decimal(float(item.within))}" if item.kind == "number" else escaped(answer.text)


def escaped(text: str) -> str:
    """Text in which nothing separates parts."""
    return "".join(f"\\{letter}" if letter in CONTROL else letter for letter in text)
