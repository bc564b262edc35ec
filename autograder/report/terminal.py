"""Results on a terminal: plain lines for one exercise. Readable without colour."""

from __future__ import annotations

import shutil
import textwrap
from itertools import groupby

from autograder.records import Result, Verdict
from autograder.report.grid import draw_picture

PASSED, FAILED, WAITING = "✓", "✗", "·"
PRINTED_LINES = 12


def draw_check(result: Result, title: str, printed: str = "", *, hidden: bool) -> str:
    """What a learner reads after a check: one message, each check with its mark, and what their file printed.

    `hidden` says whether an instructor has more checks than were run here.
    """
    lines = [f"{result.exercise}: {title}", ""]
    lines += says_why(result)
    for verdict in result.checks:
        note = verdict.message if adds(verdict, result) else ""
        lines += wrap(f"{sign(verdict)} {verdict.id}" + (f": {note}" if note else ""), "  ", "      ")
    for flag in result.flags:
        lines += ["", *wrap(f"Note: {flag}")]
    if told := printed.strip().splitlines():
        shown = [f"    {line[:200]}" for line in told[:PRINTED_LINES]]
        more = [f"    ... and {len(told) - PRINTED_LINES} lines more"] if len(told) > PRINTED_LINES else []
        lines += ["", "Your file printed:", *shown, *more]
    lines += ["", count_passed(result, hidden=hidden)] if lines[-1] else [count_passed(result, hidden=hidden)]
    return "\n".join(lines)


def says_why(result: Result) -> list[str]:
    """What is wrong, in words and where there is one as a picture, each with an empty line after it."""
    lines = [*wrap(result.message), ""] if result.message else []
    if result.picture:
        lines += [*(f"  {line}".rstrip() for line in draw_picture(result.picture)), ""]
    return lines


def waits(verdict: Verdict) -> bool:
    """Whether a check cannot pass before others do."""
    return verdict.message.startswith("counts once")


def count_passed(result: Result, *, hidden: bool) -> str:
    """How many checks passed, in a sentence; `hidden` says whether an instructor has more of them."""
    passed, count = sum(verdict.passed for verdict in result.checks), len(result.checks)
    what = "shown checks" if hidden else "checks"
    if not count:
        return "Nothing could be checked."
    if passed < count:
        return f"{passed} of {count} {what} passed."
    more = "; grading for a class asks more" * hidden
    return f"{'The' if hidden else 'All'} {count} {what} passed{more}."


def adds(verdict: Verdict, result: Result) -> bool:
    """Whether the check's own message says something that the result's message does not."""
    return not result.message.startswith(verdict.message)


def sign(verdict: Verdict) -> str:
    """The mark of one check."""
    return PASSED if verdict.passed else WAITING if waits(verdict) else FAILED


def paragraphs(text: str) -> list[str]:
    """Paragraphs filled to the width of the terminal, indented lines as their author wrote them."""
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        for indented, group in groupby(paragraph.splitlines(), key=lambda line: line.startswith(" ")):
            own = list(group)
            lines += own if indented else wrap(" ".join(own))
        lines.append("")
    return lines


def wrap(text: str, first: str = "", rest: str = "") -> list[str]:
    """Text as lines of bearable width, with what comes before the first line and before the others."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 110)
    lines = []
    for paragraph in text.splitlines() or [""]:
        lines += textwrap.wrap(paragraph, width, initial_indent=first, subsequent_indent=rest) or [""]
        first = rest
    return lines
