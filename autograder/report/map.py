"""The course as a map: its stages, what each exercise is worth, and where the learner stands. Needs no colour."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from autograder.course.model import Course, Exercise, Stage

State: TypeAlias = Literal["solved", "next", "open", "later"]
#: Shapes that differ without colour; the words beside them say the same.
SIGNS: dict[State, str] = {"solved": "✓", "next": "▸", "open": "○", "later": "·"}

#: A narrow terminal cuts titles down to this, and no further.
SHORTEST_TITLE = 16


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
    bonus = "bonus " if exercise.bonus else ""
    return f"{exercise.points:g} {bonus}point{'' if exercise.points == 1 else 's'}"


def draw_map(course: Course, places: Sequence[Place], *, plain: bool = False) -> str:
    """The map, stage by stage. A plain one is made of sentences, for those who listen instead of looking."""
    lines = [f"{course.title}: {sum_of(places)}."]
    for stage in course.stages:
        here = [place for place in places if place.exercise.stage == stage.letter]
        if here:
            lines += ["", *(_spoken(stage, here) if plain else _drawn(stage, here, places))]
    return "\n".join([*lines, "", to_go(places)])


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
    values = max(len(worth(place.exercise)) for place in places)
    beside = len("  ✓ ") + names + values + len("  100 min") + 3 * len("  ") + max(len(place.words) for place in places)
    room = max(shutil.get_terminal_size((100, 24)).columns - beside, SHORTEST_TITLE)
    titles = min(max(len(place.exercise.title) for place in places), room)
    lines = [f"{stage.letter}. {stage.title}"]
    for place in here:
        exercise = place.exercise
        title = exercise.title if len(exercise.title) <= titles else f"{exercise.title[: titles - 1]}…"
        left = f"  {SIGNS[place.state]} {exercise.short:{names}}  {title:{titles}}"
        lines.append(f"{left}  {worth(exercise):>{values}}  {exercise.minutes:3d} min  {place.words}")
    return lines


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
