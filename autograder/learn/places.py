"""Where a learner stands in the course: the state of every exercise, in words."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.course.errors import display
from autograder.course.model import Course, Exercise
from autograder.learn.progress import Progress, Record
from autograder.report.map import Place, State, worth
from autograder.report.terminal import wrap


def introduction(course: Course, exercise: Exercise) -> str:
    """What the exercise is about, what it is worth, and the file to open."""
    lesson = "\n".join(wrap(exercise.lesson, "  ", "  "))
    here = f"\n  or     headcount quiz {exercise.short}   (one question at a time, here)" * (exercise.kind == "quiz")
    return (
        f"{exercise.id} ({exercise.title}), {worth(exercise)}, about {exercise.minutes} minutes\n"
        f"{lesson}\n\n"
        f"  open   {display(course.stub_path(exercise))}{here}"
    )


def next_step(exercise: Exercise) -> str:
    """What to type for an exercise that comes next, and what it is called."""
    return f"headcount {'quiz' if exercise.kind == 'quiz' else 'check'} {exercise.short}  ({exercise.title})"


def places(course: Course, progress: Progress) -> list[Place]:
    """Every exercise in the order of the course, with its state."""
    following = progress.next_up(course)
    return [_place(course, progress, exercise, following) for exercise in course.exercises]


def _place(course: Course, progress: Progress, exercise: Exercise, following: Exercise | None) -> Place:
    record = progress.of(exercise)
    missing = [course.exercise(need).short for need in exercise.needs if not progress.of(course.exercise(need)).solved]
    if record.solved:
        earned = min(record.self_points, exercise.points) if record.self_marked else None
        return Place(exercise, "solved", ", ".join(["solved", *_past(record, solved=True)]), earned)
    state: State = "next" if exercise is following else "later" if missing else "open"
    word = f"after {', '.join(missing)}" if state == "later" else state
    # what comes later says itself what it comes after
    opens = [other.short for other in course.exercises if exercise.id in other.needs and state != "later"]
    leads = [f"leads to {', '.join(opens)}"] if opens else []
    return Place(exercise, state, "; ".join([word, *_past(record, solved=False), *leads]))


def _past(record: Record, *, solved: bool) -> Iterator[str]:
    """What has happened so far, as far as it is worth a word."""
    if record.revealed:
        yield "after its answer was revealed" if solved else "answer revealed"
    if record.self_marked:
        yield f"self-marked {record.self_points:g}"
    if not solved and record.tries:
        yield _count(len(record.tries), "try", "tries")
    if not solved and record.hints:
        yield _count(record.hints, "hint", "hints")


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
