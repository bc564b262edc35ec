"""What nbgrader shows of a result: a comment, and text in which nothing is markup that a learner wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from autograder.integrations.marks import ABSENT, UNMARKED
from autograder.integrations.text import message, number
from autograder.records import Result

_LONGEST = 6000
#: What would begin a tag, a link or the definition of one. nbgrader renders Markdown and lets HTML through.
_MARKUP = re.compile(r"<(?=[A-Za-z/!?])|\](?=[(:\[])")


def harmless(text: str) -> str:
    """Markdown in which no tag, link or picture can begin: a space after what would begin it is enough."""
    return _MARKUP.sub(lambda found: f"{found[0]} ", text)


def comment(result: Result, earned: float, notes: Iterable[str]) -> str:
    """What a learner reads beside their answer, as Markdown, and as plain text where nobody renders it."""
    return harmless(message("\n\n".join(_parts(result, earned, notes)), _LONGEST))


def _parts(result: Result, earned: float, notes: Iterable[str]) -> Iterator[str]:
    if result.verdict != UNMARKED:
        yield f"{number(earned)} of {number(result.max_points)} points." + _late(result, earned)
    if result.message and result.verdict != ABSENT:
        yield result.message
    checks = [f"- {'✓' if check.passed else '✗'} {check.id}: {check.message}" for check in result.checks]
    if checks:
        yield "\n".join(each.removesuffix(": ") for each in checks)
    yield from (f"Note: {note}" for note in (*notes, *result.flags))


def _late(result: Result, earned: float) -> str:
    if not result.late_days:
        return ""
    lost = f", which costs {number(earned - result.points)}" if earned > result.points else ""
    return f" {result.late_days} day{'s' * (result.late_days != 1)} late{lost}."
