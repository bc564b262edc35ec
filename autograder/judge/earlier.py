"""What a learner's earlier exercises have to do with a later one that went wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from autograder.course.model import Exercise
from autograder.records import Result

#: Verdicts of exercises that say nothing about what the learner thinks.
SILENT = ("OK", "NOT_SUBMITTED", "NOT_GRADED", "FORBIDDEN", "TO_BE_MARKED", "MARKED")


def with_earlier(exercises: Sequence[Exercise], results: Sequence[Result]) -> Iterator[Result]:
    """The results of one learner, each wrong one with a sentence where an exercise it builds on has the same fault."""
    known = {result.exercise: result for result in results}
    needs = {exercise.id: exercise.needs for exercise in exercises}
    files: dict[str | None, str] = {exercise.id: exercise.file for exercise in exercises}
    for result in results:
        said = "" if result.verdict in SILENT else _said(result, known, _before(result.exercise or "", needs), files)
        yield replace(result, message=f"{result.message} {said}".strip()) if said else result


def _before(exercise: str, needs: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Everything the exercise builds on, what it needs most directly first."""
    found: list[str] = []
    waiting = list(needs.get(exercise, ()))
    while waiting:
        each = waiting.pop(0)
        if each not in found:
            found.append(each)
            waiting += needs.get(each, ())
    return found


def _said(
    result: Result, known: Mapping[str | None, Result], before: Sequence[str], files: Mapping[str | None, str]
) -> str:
    wrong = [known[id] for id in before if id in known and known[id].verdict not in SILENT]
    for earlier in wrong:
        if set(earlier.misconceptions) & set(result.misconceptions):
            return f"Your {files[earlier.exercise]} has the same mistake; mend it there first."
    if result.misconceptions:
        return ""
    for earlier in wrong:
        if result.family and earlier.family == result.family:
            return f"Your {files[earlier.exercise]} goes wrong in the same kind of step; mend it there first."
    return f"Your {files[wrong[0].exercise]}, which this builds on, is not right yet either." if wrong else ""
