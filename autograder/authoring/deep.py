"""Prove that the checks of an exercise catch what they should: `headcount verify --deep`.

Four questions, each answered by running code. Is every misconception rejected and named? Is every small change of the
model answer rejected? Does every probe earn its place? Does any known cheat get more than it deserves?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from socket import socket

from autograder import keys
from autograder.authoring.cheats import RAISES, ZEROS, Cheat, by_heart, cheats, undeserved
from autograder.authoring.equivalents import Equivalent, equivalents
from autograder.authoring.mutants import Mutant, mutants
from autograder.authoring.verify import SECRET, misconception_problems
from autograder.authoring.worth import Answers, faults, idle_probes, mark
from autograder.course import content
from autograder.course.errors import display
from autograder.course.model import Course, Exercise
from autograder.judge.diagnose import diagnose
from autograder.judge.key import Key
from autograder.sandbox.run import observe, observe_each

#: A mutant that loops forever is not waited for as long as a learner.
CPU_SECONDS, WALL_SECONDS = 1.0, 5.0


@dataclass(frozen=True)
class Review:
    """What was found about one exercise: a line for each question, the excused mutants, and what has to be mended."""

    exercise: Exercise
    lines: tuple[tuple[str, str], ...]
    excused: tuple[str, ...]
    problems: tuple[str, ...]
    mutants: int
    survivors: int


def review(course: Course, exercise: Exercise, lane: socket) -> Review:
    """Answer the four questions about one exercise. Raises ContentError where one of its files is broken."""
    key = keys.compile_key(course, exercise, SECRET, lane)
    assert key
    excuses = equivalents(course.folder(exercise))
    changed = _mutants(course, exercise)
    answers = _answers(course, exercise, key, [mutant.source for mutant in changed], lane)
    alive = [mutant for mutant, row in zip(changed, answers, strict=True) if not faults(exercise, key, row)]
    unnamed = [problem for variant in key.variants for problem in misconception_problems(course, exercise, key, variant)]
    untrue = list(_untrue(course, exercise, changed, alive, excuses))
    wrong = [*answers, *(variant.answers for variant in key.variants)]
    idle = [f"{display(course.folder(exercise) / 'probes.py')}: {each}" for each in idle_probes(exercise, key, wrong)]
    worth, earned = _cheats(course, exercise, key, lane)
    why = {(excuse.was, excuse.becomes): excuse.why for excuse in excuses}
    excused = [mutant for mutant in alive if (mutant.was, mutant.becomes) in why]
    safe = sum(bool(probe.safety) for probe in key.probes)
    lines = (
        ("misconceptions", _of_misconceptions(key)),
        ("mutants", f"{len(changed) - len(alive)} of {len(changed)} rejected, {len(excused)} equivalent"),
        ("probes", f"{len(key.probes)}, of which {safe} for safety" if safe else f"{len(key.probes)}"),
        ("cheats", worth),
    )
    return Review(
        exercise,
        lines,
        tuple(f"{mutant.line}: {_change(mutant)}: {why[mutant.was, mutant.becomes]}" for mutant in excused),
        tuple([*unnamed, *untrue, *idle, *earned]),
        len(changed),
        len(alive),
    )


def _mutants(course: Course, exercise: Exercise) -> list[Mutant]:
    source = content.solution_source(course, exercise)
    lines = content.learners_lines(source, display(course.folder(exercise) / "solution.py"))
    return mutants(source, lines)


def _answers(course: Course, exercise: Exercise, key: Key, sources: Sequence[str], lane: socket) -> list[Answers]:
    limits = course.limits_of(exercise)
    short = replace(limits, cpu_seconds=min(CPU_SECONDS, limits.cpu_seconds), wall_seconds=WALL_SECONDS)
    tasks = [replace(keys.task_for(course, exercise, source, key.probes), limits=short) for source in sources]
    return [seen.probes for seen in observe_each(lane, tasks)]


def _of_misconceptions(key: Key) -> str:
    """How the misconceptions are told: alone, or together with others."""
    alone = sum(len(diagnose(key, variant.answers).slugs) == 1 for variant in key.variants)
    others = len(key.variants) - alone
    return f"{alone} named alone" + (f", {others} together with what no input tells from them" if others else "")


def _untrue(
    course: Course, exercise: Exercise, changed: Sequence[Mutant], alive: Sequence[Mutant], excuses: Sequence[Equivalent]
) -> Iterator[str]:
    """Mutants that live without an excuse, and excuses without a mutant that lives."""
    excusable = {(excuse.was, excuse.becomes) for excuse in excuses}
    known = {(mutant.was, mutant.becomes) for mutant in changed}
    survived = {(mutant.was, mutant.becomes) for mutant in alive}
    solution = display(course.folder(exercise) / "solution.py")
    for mutant in alive:
        if (mutant.was, mutant.becomes) not in excusable:
            yield (
                f"{solution}:{mutant.line}: full points for {_change(mutant)}. Add or sharpen a probe, or say in "
                "equivalent.yaml why no input shows the difference."
            )
    for excuse in excuses:
        change = (excuse.was, excuse.becomes)
        if change not in survived:
            fate = "is rejected by the probes" if change in known else "is not a mutant of this solution"
            yield f"{excuse.place}: '{excuse.was}' -> '{excuse.becomes}' {fate}, so it needs no excuse; take it out."


def _change(mutant: Mutant) -> str:
    return f"'{mutant.was}' -> '{mutant.becomes}'"


def _cheats(course: Course, exercise: Exercise, key: Key, lane: socket) -> tuple[str, list[str]]:
    """What the cheats came to in one line, and a problem for each that gets more than it deserves."""
    problems = []
    place = display(course.folder(exercise) / "probes.py")
    all_cheats = list(cheats(exercise, content.solution_source(course, exercise)))
    claims = {cheat.does: _claims(course, exercise, key, cheat, lane) for cheat in all_cheats}
    for does, own in claims.items():
        stolen = undeserved(exercise, key, mark(exercise, key, own, key.probes), own)
        problems += [f"{place}: {points:g} points of '{check}' go to a cheat: {does}." for check, points in stolen.items()]
    most = 0.0
    for behind in (ZEROS, RAISES):
        own = claims[behind]
        result = mark(exercise, key, by_heart(key, own), key.probes)
        most = max(most, result.points)
        does = f"shown answers known by heart, on other questions {behind}"
        stolen = undeserved(exercise, key, result, own, by_heart=True)
        problems += [f"{place}: {points:g} points of '{check}' go to a cheat: {does}." for check, points in stolen.items()]
        if result.points >= exercise.points:
            problems.append(f"{place}: all {exercise.points:g} points go to a cheat: {does}.")
    return f"{len(claims) + 2} tried; the shown answers by heart get {most:g} of {exercise.points:g} points", problems


def _claims(course: Course, exercise: Exercise, key: Key, cheat: Cheat, lane: socket) -> Answers:
    """What a cheat answers, in a worker of its own: it may spoil the worker for others."""
    return observe(lane, keys.task_for(course, exercise, cheat.source, key.probes)).probes
