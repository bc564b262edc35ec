"""The course as a map: its stages, what each exercise is worth, and where the learner stands. Needs no colour."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from autograder.course.model import Course, Exercise, Stage
from autograder.report.terminal import wrap

State: TypeAlias = Literal["solved", "next", "open", "later"]
#: Shapes that differ without colour; the words beside them say the same.
SIGNS: dict[State, str] = {"solved": "✓", "next": "▸", "open": "○", "later": "·"}

#: A narrow terminal moves words below their title until so many columns are left for them, and then cuts titles down.
SHORTEST_WORDS, SHORTEST_TITLE = 12, 16
_TOGETHER = "\xa0"


@dataclass(frozen=True)
class Place:
    """One exercise on the map. `words` say its state, and what leads to it or follows from it."""

    exercise: Exercise
    state: State
    words: str
    earned: float | None = None
    """Points where they are not all of the exercise's: what somebody gave their own text."""


def worth(exercise: Exercise) -> str:
    """Its points, in words."""
    return _number(exercise).replace(" ", " bonus ") if exercise.bonus else _number(exercise)


def draw_map(course: Course, places: Sequence[Place], *, plain: bool = False) -> str:
    """The map, stage by stage. A plain one is made of sentences, for those who listen instead of looking."""
    lines = [f"{course.title}: {sum_of(places)}."]
    for stage in course.stages:
        here = [place for place in places if place.exercise.stage == stage.letter]
        if here:
            lines += ["", *(_spoken(stage, here) if plain else _drawn(stage, here, places))]
    return "\n".join([*lines, "", to_go(places) if plain else "\n".join(wrap(to_go(places)))])


def to_go(places: Sequence[Place]) -> str:
    """How long the rest takes, and what the word 'after' means."""
    left = sum(place.exercise.minutes for place in places if place.state != "solved")
    return f"About {_time(left)} to go. Nothing is locked: 'after' names what an exercise builds on."


def sum_of(places: Sequence[Place]) -> str:
    """How much is solved, in words."""
    solved = [place for place in places if place.state == "solved"]
    return f"{len(solved)} of {len(places)} exercises solved, {_earned(solved):g} of {_points(places):g} points"


def _earned(solved: Sequence[Place]) -> float:
    return sum(place.exercise.points if place.earned is None else place.earned for place in solved)


def _points(places: Sequence[Place]) -> float:
    return sum(place.exercise.points for place in places)


def _drawn(stage: Stage, here: Sequence[Place], places: Sequence[Place]) -> list[str]:
    names = max(len(place.exercise.short) for place in places)
    values = max(len(_number(place.exercise)) for place in places)
    width = shutil.get_terminal_size((100, 24)).columns
    beside = len("  ✓ ") + names + values + len("  100 min") + 3 * len("  ")
    words = min(max(len(_words(place)) for place in places), SHORTEST_WORDS)
    room = max(width - beside - words, SHORTEST_TITLE)
    titles = min(max(len(place.exercise.title) for place in places), room)
    lines = [f"{stage.letter}. {stage.title}"]
    for place in here:
        exercise = place.exercise
        title = exercise.title if len(exercise.title) <= titles else f"{exercise.title[: titles - 1]}…"
        left = f"  {SIGNS[place.state]} {exercise.short:{names}}  {title:{titles}}"
        left = f"{left}  {_number(exercise):>{values}}  {exercise.minutes:3d} min  "
        below = " " * (len("  ✓ ") + names + len("  "))
        lines += _broken(_words(place), max(width, len(left) + SHORTEST_WORDS), left, below)
    return lines


def _broken(words: str, width: int, left: str, below: str) -> Iterator[str]:
    """The words behind `left`, and what has no room there in lines of its own; broken only where one thing ends."""
    joined = "; ".join(thing.replace(" ", _TOGETHER) for thing in words.split("; "))
    for line in textwrap.wrap(joined, width, initial_indent=left, subsequent_indent=below):
        yield line.replace(_TOGETHER, " ").rstrip()


def _number(exercise: Exercise) -> str:
    return f"{exercise.points:g} point{'' if exercise.points == 1 else 's'}"


def _words(place: Place) -> str:
    """What stands beside an exercise; that it is for bonus stands there, too, so that the points take less room."""
    return f"bonus; {place.words}" if place.exercise.bonus else place.words


def _spoken(stage: Stage, here: Sequence[Place]) -> list[str]:
    lines = [f"Stage {stage.letter}, {stage.title}: {sum_of(here)}."]
    for place in here:
        exercise = place.exercise
        value = f"{worth(exercise)}, {exercise.minutes} minutes"
        lines.append(f"{exercise.short}, {exercise.title}: {place.words}. {value}.")
    return lines


def _time(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    told = [f"{hours} h"] * bool(hours) + [f"{rest} min"] * bool(rest or not hours)
    return " ".join(told)
