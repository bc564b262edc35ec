"""Prove that the checks of an exercise catch what they should: `headcount verify --deep`.

Four questions, each answered by running code. Is every misconception rejected and named? Is every small change of the
model answer rejected? Does every probe earn its place? Does any known cheat get more than it deserves?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from socket import socket

from autograder import keys
from autograder.authoring.cheats import RAISES, ZEROS, cheats, undeserved
from autograder.authoring.equivalents import NAME, Equivalent, equivalents
from autograder.authoring.mutants import Mutant, mutants
from autograder.authoring.verify import SECRET, misconception_problems
from autograder.authoring.worth import Answers, Wrong, by_heart, idle_probes, mark, wrong
from autograder.course import content
from autograder.course.errors import display
from autograder.course.model import Course, Exercise
from autograder.judge.diagnose import diagnose
from autograder.judge.key import Key
from autograder.records import Probe
from autograder.sandbox.run import observe, observe_each

#: A mutant that loops forever is not waited for as long as a learner.
CPU_SECONDS, WALL_SECONDS = 1.0, 10.0


@dataclass(frozen=True)
class Review:
    """What was found about one exercise. Every problem is one line that says where and what to mend."""

    exercise: Exercise
    misconceptions: str
    """One phrase on each of the four questions."""
    mutants: str
    probes: str
    cheats: str
    tried: int
    """How many mutants there are."""
    excused: tuple[tuple[Mutant, str], ...]
    """Those that got full points, with the reason why no input shows them."""
    problems: tuple[str, ...]


@dataclass(frozen=True)
class _Case:
    """One exercise under review: its key, its folder, and a lane to run answers on."""

    course: Course
    exercise: Exercise
    key: Key
    lane: socket

    @property
    def folder(self) -> Path:
        return self.course.folder(self.exercise)


def review(course: Course, exercise: Exercise, lane: socket) -> Review:
    """Answer the four questions about one exercise. Raises ContentError where one of its files is broken."""
    key = keys.compile_key(course, exercise, SECRET, lane)
    assert key
    case = _Case(course, exercise, key, lane)
    excuses = equivalents(case.folder)
    changed = _run_mutants(case)
    survivors = [mutant for mutant, row in changed if not row.faults]
    whys = [next((excuse.why for excuse in excuses if excuse.covers(mutant)), "") for mutant in survivors]
    excused = tuple((mutant, why) for mutant, why in zip(survivors, whys, strict=True) if why)
    thought = [wrong(exercise, key, variant.answers) for variant in key.variants]
    idle = list(idle_probes(exercise, key, [row for _, row in changed] + thought))
    claims = _run_cheats(case)
    thefts = [*_thefts(case, claims), *_thefts_by_heart(case, claims)]
    return Review(
        exercise,
        misconceptions=_of_misconceptions(key, thought),
        mutants=f"{len(changed)} tried, {len(changed) - len(survivors)} rejected, {len(excused)} equivalent",
        probes=_of_probes(key, [probe for probe, _ in idle if not probe.safety]),
        cheats=_of_cheats(case, claims, thefts),
        tried=len(changed),
        excused=excused,
        problems=(
            *(each for variant in key.variants for each in misconception_problems(course, exercise, key, variant)),
            *(_survivor(case, mutant) for mutant, why in zip(survivors, whys, strict=True) if not why),
            *_stale(excuses, changed),
            *_idle(case, idle),
            *thefts,
        ),
    )


def _run_mutants(case: _Case) -> list[tuple[Mutant, Wrong]]:
    source = content.solution_source(case.course, case.exercise)
    found = mutants(source, content.learners_lines(source, display(case.folder / "solution.py")))
    limits = case.course.limits_of(case.exercise)
    short = replace(limits, cpu_seconds=min(CPU_SECONDS, limits.cpu_seconds), wall_seconds=WALL_SECONDS)
    probes = case.key.probes
    tasks = [keys.task_for(case.course, case.exercise, mutant.source, probes) for mutant in found]
    seen = observe_each(case.lane, [replace(task, limits=short) for task in tasks])
    return [(mutant, wrong(case.exercise, case.key, row.probes)) for mutant, row in zip(found, seen, strict=True)]


def _run_cheats(case: _Case) -> dict[str, Answers]:
    """What each cheat claims, in a worker of its own: it may spoil one for others."""
    claims = {}
    for cheat in cheats(case.exercise, content.solution_source(case.course, case.exercise)):
        task = keys.task_for(case.course, case.exercise, cheat.source, case.key.probes)
        claims[cheat.does] = observe(case.lane, task).probes
    return claims


def _survivor(case: _Case, mutant: Mutant) -> str:
    return (
        f"{display(case.folder / 'solution.py')}:{_where(mutant)} gets full points. Sharpen a probe until it does not, "
        f"or say in {NAME} why no input shows the difference."
    )


def _stale(excuses: Sequence[Equivalent], changed: Sequence[tuple[Mutant, Wrong]]) -> Iterator[str]:
    """Excuses that nobody needs."""
    for excuse in excuses:
        rows = [row for mutant, row in changed if excuse.covers(mutant)]
        if all(row.faults for row in rows):
            fate = f"is rejected by probe '{min(rows[0].faults)}'" if rows else "is no mutant of this solution"
            yield f"{excuse.place}: '{excuse.was}' -> '{excuse.becomes}' {fate}; take the excuse out."


def _where(mutant: Mutant) -> str:
    return f"{mutant.line}: '{mutant.was}' -> '{mutant.becomes}'"


def _idle(case: _Case, idle: Sequence[tuple[Probe, str]]) -> Iterator[str]:
    path = case.folder / "probes.py"
    lines = content.read_source(path).splitlines()
    for probe, problem in idle:
        yield f"{display(path)}{_line_of(probe, lines)}: {problem}"


def _line_of(probe: Probe, lines: Sequence[str]) -> str:
    """Where a probe is written, if its name stands in the file as it is."""
    return next((f":{n}" for n, line in enumerate(lines, start=1) if f'"{probe.name}"' in line), "")


def _thefts(case: _Case, claims: Mapping[str, Answers]) -> Iterator[str]:
    for does, own in claims.items():
        for verdict in undeserved(case.key, mark(case.exercise, case.key, own, case.key.probes), own):
            yield _theft(case, verdict.id, verdict.points, does)


def _thefts_by_heart(case: _Case, claims: Mapping[str, Answers]) -> Iterator[str]:
    """What the shown answers by heart bring, with zeros or with nothing for all other questions."""
    for does in (ZEROS, RAISES):
        result = mark(case.exercise, case.key, by_heart(case.key, claims[does]), case.key.probes)
        for verdict in undeserved(case.key, result, claims[does], known=True):
            yield _theft(case, verdict.id, verdict.points, f"the shown answers by heart, otherwise {does}")


def _theft(case: _Case, check: str, points: float, does: str) -> str:
    place = display(case.folder / "probes.py")
    count = f"{points:g} point{'' if points == 1 else 's'}"
    return f"{place}: check '{check}' gives {count} to a cheat: {does}. Its probes have to look closer."


def _of_misconceptions(key: Key, thought: Sequence[Wrong]) -> str:
    alone = sum(len(diagnose(key, variant.answers).slugs) == 1 for variant in key.variants)
    names = len({variant.misconception.slug for variant in key.variants})
    rejected = sum(bool(row.faults) for row in thought)
    others = f", {len(thought) - alone} with others" if alone < len(thought) else ""
    return f"{len(thought)} wrong answers of {names} names, {rejected} rejected, {alone} named alone{others}"


def _of_probes(key: Key, idle: Sequence[Probe]) -> str:
    safe = [probe.name for probe in key.probes if probe.safety]
    earn = f"{len(key.probes)} asked, {len(key.probes) - len(safe) - len(idle)} earn their place"
    return earn + (f", {len(safe)} for safety ({', '.join(safe)})" if safe else "")


def _of_cheats(case: _Case, claims: Mapping[str, Answers], thefts: Sequence[str]) -> str:
    result = mark(case.exercise, case.key, by_heart(case.key, claims[RAISES]), case.key.probes)
    passed = [verdict.id for verdict in result.checks if verdict.points]
    checks = f" ({', '.join(passed)})" if passed else ""
    most = f"the shown answers by heart are worth {result.points:g} of {result.max_points:g} points{checks}"
    deserved = f"{len(thefts)} times more than deserved" if thefts else "none got more than it deserves"
    return f"{len(claims) + 2} tried, {deserved}; {most}"
