"""Put one answer onto a sheet, and leave everything else as its learner wrote it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from autograder.quiz.draw import Quiz
from autograder.quiz.mark import owner
from autograder.quiz.nodes import UnreadableSheet
from autograder.quiz.read import WHOSE, read_sheet
from autograder.quiz.sheet import sheet
from autograder.records import Observations

_ANSWER = re.compile(r" *answer:")


def typed(seen: Observations) -> dict[str, str]:
    """What stands on a sheet so far: the readable answers, by the name of their question."""
    answers = {name: str(got.parts.get("answer", "")) for name, got in seen.probes.items() if name != WHOSE}
    return {name: answer for name, answer in answers.items() if answer}


def fill(quiz: Quiz, text: str, name: str, answer: str) -> str:
    """The sheet with this answer to the question `name`, where it was empty or held another one.

    One line is changed where that is enough. A sheet that somebody wrote in another form is written anew, with all its
    readable answers. Raises UnreadableSheet where the text is no sheet.
    """
    seen = read_sheet(text, quiz.exercise.id)
    wanted = typed(seen) | {name: answer}
    got = seen.probes.get(name)
    changed = _one_line(text, int(str(got.parts["line"])), answer) if got and "line" in got.parts else ""
    return changed if _holds(changed, quiz, wanted) else sheet(quiz, owner(seen), wanted)


def _one_line(text: str, line: int, answer: str) -> str:
    """The text with the answer on the last line that can hold one, up to where the value of the old one was seen."""
    lines = text.split("\n")
    for place in range(min(line, len(lines)) - 1, -1, -1):
        if found := _ANSWER.match(lines[place]):
            end = "\r" * lines[place].endswith("\r")
            lines[place] = f"{found[0]} {json.dumps(answer, ensure_ascii=False)}{end}"
            break
    return "\n".join(lines)


def _holds(text: str, quiz: Quiz, wanted: Mapping[str, str]) -> bool:
    """Whether the sheet says just this; a value over several lines, for one, is not replaced by changing its first."""
    try:
        return typed(read_sheet(text, quiz.exercise.id)) == wanted
    except UnreadableSheet:
        return False
