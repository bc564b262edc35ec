"""Hints, one at a time: the next one comes after another try."""

from __future__ import annotations

from autograder.course.errors import display
from autograder.course.model import Course, Exercise
from autograder.learn.progress import Progress
from autograder.report.terminal import wrap


def next_hint(course: Course, progress: Progress, exercise: Exercise) -> str:
    """The next hint, and a note that it was shown; the last one again where the learner has not tried since.

    Once the exercise is solved or revealed nobody has to wait.
    """
    record, count, name = progress.of(exercise), len(exercise.hints), exercise.short
    seen = min(record.hints, count)
    if not count:
        return f"There are no hints for {name}."
    if seen == count:
        return _told(exercise, range(count), f"You have seen all {count} hints for {name}.")
    if seen and not (record.solved or record.revealed) and len(record.tries) <= record.hinted_at:
        where = display(course.stub_path(exercise))
        first = (
            f"Give the last hint a try first: change something in {where}, save, and `headcount check {name}`. "
            f"Then hint {seen + 1} of {count} is yours. Until then, once more:"
        )
        return _told(exercise, range(seen - 1, seen), first)
    progress.note_hint(exercise)
    return _told(exercise, range(seen, seen + 1))


def _told(exercise: Exercise, numbers: range, first: str = "") -> str:
    lines = [*wrap(first), ""] if first else []
    for number in numbers:
        lines += wrap(f"Hint {number + 1} of {len(exercise.hints)}: {exercise.hints[number]}")
    return "\n".join(lines)
