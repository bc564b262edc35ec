"""What each probe is worth: which wrong answers would keep points, and which names would blur, without it.

Shown and hidden probes are judged apart. The shown ones have to teach at home, where nothing else is asked. The hidden
ones have to hold against an answer that has every shown question by heart and is wrong in general.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from autograder.course.model import Exercise
from autograder.judge.diagnose import diagnose
from autograder.judge.key import Key
from autograder.judge.score import judge
from autograder.records import Observation, Observations, Probe, Result, Submission

Answers = Mapping[str, Observation]


def mark(exercise: Exercise, key: Key, answers: Answers, probes: Sequence[Probe]) -> Result:
    """The result of these answers if only these probes were asked. Names nothing."""
    asked = replace(key, probes=tuple(probes), variants=())
    seen = Observations({probe.name: answers[probe.name] for probe in probes})
    return judge(exercise, asked, Submission("author", exercise.id, b"", ""), seen)


def faults(exercise: Exercise, key: Key, answers: Answers) -> list[Probe]:
    """The probes at which these answers lose points."""
    return [probe for probe in key.probes if _lost(mark(exercise, key, answers, [probe])) > 0]


def idle_probes(exercise: Exercise, key: Key, wrong: Sequence[Answers]) -> Iterator[str]:
    """A problem for every probe without which nothing would be lost, and for every needless mark of safety."""
    for probe in key.probes:
        base = [other for other in key.probes if other is probe or not other.safety]
        earns = _catches(exercise, key, probe, base, wrong) or _tells_apart(key, probe, base)
        if not earns and not probe.safety:
            yield (
                f"probe '{probe.name}' earns nothing: without it the other {_side(probe)} probes take the same points "
                "from every wrong answer, and every name stays. Sharpen it, remove it, or say in its `safety` why it "
                "stays."
            )
        elif earns and probe.safety:
            yield f"probe '{probe.name}' says it is there for safety, but it earns its place; take `safety` out."


def _side(probe: Probe) -> str:
    return "shown" if probe.shown else "hidden"


def _catches(exercise: Exercise, key: Key, probe: Probe, base: Sequence[Probe], wrong: Sequence[Answers]) -> bool:
    """Whether some wrong answer would lose fewer points without this probe."""
    asked = [other for other in base if other.shown or not probe.shown]
    rest = [other for other in asked if other is not probe]
    for answers in wrong:
        if _lost(mark(exercise, key, answers, [probe])) > 0:
            if not probe.shown:  # the shown questions are known by heart
                answers = {**answers, **{p.name: key.reference[p.name] for p in key.probes if p.shown}}
            if _lost(mark(exercise, key, answers, asked)) > _lost(mark(exercise, key, answers, rest)):
                return True
    return False


def _tells_apart(key: Key, probe: Probe, base: Sequence[Probe]) -> bool:
    """Whether some misconception would be called by more names, or by none, without this probe."""
    asked = tuple(other for other in base if other.shown or not probe.shown)
    rest = tuple(other for other in asked if other is not probe)
    return any(_names(key, asked, variant.answers) != _names(key, rest, variant.answers) for variant in key.variants)


def _names(key: Key, probes: tuple[Probe, ...], answers: Answers) -> tuple[str, ...]:
    return diagnose(replace(key, probes=probes), {probe.name: answers[probe.name] for probe in probes}).slugs


def _lost(result: Result) -> float:
    return result.max_points - result.points
