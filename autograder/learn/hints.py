"""Hints, one at a time: the next one comes after another try."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.course.errors import display
from autograder.course.model import Course, Exercise
from autograder.learn.progress import Progress
from autograder.report.terminal import wrap


@dataclass(frozen=True)
class Advice:
    """What is said to somebody who asks for a hint: a sentence, or none, and the numbers of the hints that follow."""

    first: str
    numbers: range = range(0)


def next_hint(course: Course, progress: Progress, exercise: Exercise) -> str:
    """What `advise` says, as it stands on a terminal."""
    advice = advise(course, progress, exercise)
    lines = wrap(advice.first) if advice.first else []
    lines += [""] * bool(lines and advice.numbers)
    for number in advice.numbers:
        lines += wrap(f"Hint {number + 1} of {len(exercise.hints)}: {exercise.hints[number]}")
    return "\n".join(lines)


def advise(course: Course, progress: Progress, exercise: Exercise) -> Advice:
    """The next hint, and a note that it was shown; the last one again where the learner has not tried since.

    Once the exercise is solved or revealed nobody has to wait.
    """
    record, count, name = progress.of(exercise), len(exercise.hints), exercise.short
    seen = min(record.hints, count)
    if not count:
        return Advice(f"There are no hints for {name}.")
    if seen == count:
        return Advice(f"You have seen all {count} hints for {name}.", range(count))
    if seen and not (record.solved or record.revealed) and len(record.tries) <= record.hinted_at:
        where = display(course.stub_path(exercise))
        first = (
            f"Give the last hint a try first: change something in {where}, save, and `headcount check {name}`. "
            f"Then hint {seen + 1} of {count} is yours. Until then, once more:"
        )
        return Advice(first, range(seen - 1, seen))
    progress.note_hint(exercise)
    return Advice("", range(seen, seen + 1))
