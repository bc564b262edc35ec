"""A result in sentences, for those who listen instead of looking: no signs, no columns, no pictures."""

from __future__ import annotations

from autograder.records import Result, Verdict
from autograder.report.terminal import PRINTED_LINES


def say_check(result: Result, title: str, printed: str = "") -> str:
    """The same as on the screen, one paragraph a line."""
    passed = sum(verdict.passed for verdict in result.checks)
    lines = [f"{result.exercise}, {title}: {passed} of {len(result.checks)} passed."]
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
