"""A result in sentences, for those who listen instead of looking: no signs, no columns, no pictures."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.records import Drawing, Result, Verdict
from autograder.report.grid import ALIKE, Row
from autograder.report.terminal import PRINTED_LINES, count_passed


def say_check(result: Result, title: str, printed: str = "", *, hidden: bool) -> str:
    """The same as on the screen, one paragraph a line. `hidden` says whether grading asks more than was asked here."""
    passed = sum(verdict.passed for verdict in result.checks)
    count = count_passed(result, hidden=True) if hidden else f"{passed} of {len(result.checks)} passed."
    lines = [f"{result.exercise}, {title}: {count}"]
    lines += [result.message] if result.message else []
    lines += [f"{_word(verdict)}, {verdict.id}{_note(verdict, result)}" for verdict in result.checks]
    lines += [f"Note: {flag}" for flag in result.flags]
    if told := printed.strip().splitlines():
        lines += ["Your file printed:", *(line[:200] for line in told[:PRINTED_LINES])]
    return "\n".join(lines)


def _word(verdict: Verdict) -> str:
    return "Passed" if verdict.passed else "Partly right" if verdict.points else "Not passed"


def _note(verdict: Verdict, result: Result) -> str:
    """The check's own message, where it says something that the result's does not."""
    return "." if result.message.startswith(verdict.message) else f": {verdict.message}"


def say_drawing(drawing: Drawing) -> list[str]:
    """Each row of each square: where it is True, or which shares it has where."""
    lines = [drawing.title]
    for label, square in drawing.squares:
        lines += [f"{label}:"] if label else []
        lines += [f"{drawing.rows or 'row'} {place}: {_row(row)}." for place, row in enumerate(square)]
    return [*lines, f"What is counted in a row: {drawing.columns}."] if drawing.columns else lines


def _row(row: Row) -> str:
    if all(isinstance(value, bool) for value in row):
        places = [str(place) for place, value in enumerate(row) if value]
        return f"True at {', '.join(places)}" if places else "True nowhere"
    return ", ".join(_shares(row)) or "nothing"


def _shares(row: Row) -> Iterator[str]:
    for place, value in enumerate(row):
        if value is None:
            yield f"not a finite number at {place}"
        elif abs(value) > ALIKE:
            yield f"{value:.2f} at {place}"
