"""What each probe is worth: which wrong answers would keep points, and which names would blur, without it.

Shown and hidden probes are judged apart. The shown ones have to teach at home, where nothing else is asked. The hidden
ones have to hold against an answer that has every shown question by heart and is wrong in general.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.course.model import Exercise
from autograder.judge.diagnose import diagnose
from autograder.judge.key import Key
from autograder.judge.score import judge
from autograder.plain import as_plain
from autograder.records import Observation, Observations, Probe, Result, Submission
from autograder.sandbox import wire

Answers = Mapping[str, Observation]


@dataclass(frozen=True)
class Wrong:
    """What one answer claimed, and the names of the probes that find fault with it: none for a survivor."""

    answers: Answers
    faults: frozenset[str]


def wrong(exercise: Exercise, key: Key, answers: Answers) -> Wrong:
    """The answers together with the probes at which they lose points, each probe asked alone."""
    found = [probe.name for probe in key.probes if _lost(mark(exercise, key, answers, [probe])) > 0]
    return Wrong(answers, frozenset(found))


def mark(exercise: Exercise, key: Key, answers: Answers, probes: Sequence[Probe]) -> Result:
    """The result of these answers if only these probes were asked. Names nothing."""
    asked = replace(key, probes=tuple(probes), variants=())
    seen = Observations({probe.name: answers[probe.name] for probe in probes})
    return judge(exercise, asked, Submission("author", exercise.id, b"", ""), seen)


def by_heart(key: Key, behind: Answers) -> Answers:
    """What a file claims that looks up every shown question, and behaves as `behind` where it finds nothing.

    No real file can do better: it would have to tell questions apart that are the same to it.
    """
    known = {_question(probe): key.reference[probe.name] for probe in key.probes if probe.shown}
    return {probe.name: known.get(_question(probe), behind[probe.name]) for probe in key.probes}


def _question(probe: Probe) -> tuple[object, ...]:
    """What a submission can tell probes apart by. One with something hidden to ask back about is like no other."""
    inputs = wire.encode({name: as_plain(value) for name, value in probe.inputs.items()})
    return (probe.call, probe.gradient, inputs, probe.name if probe.callbacks else "")


def idle_probes(exercise: Exercise, key: Key, caught: Sequence[Wrong]) -> Iterator[tuple[Probe, str]]:
    """Every probe without which nothing would be lost, and every needless mark of safety, with what to do about it.

    Probes that say they are there for safety are taken as absent when the others are weighed.
    """
    unlike = list({each.faults: each for each in caught}.values())  # equal faults cost equal points
    for probe in key.probes:
        asked = [
            other for other in key.probes if other is probe or (not other.safety and (other.shown or not probe.shown))
        ]
        earns = _catches(exercise, key, probe, asked, unlike) or _tells_apart(key, probe, asked)
        side = "shown" if probe.shown else "hidden"
        if not earns and not probe.safety:
            yield (
                probe,
                f"probe '{probe.name}' earns nothing: without it the other {side} probes take the same points from "
                "every wrong answer and tell the same names. Sharpen it, remove it, or say in `safety` why it stays.",
            )
        elif earns and probe.safety:
            yield probe, f"probe '{probe.name}' is marked as there for safety, but it earns its place; unmark it."


def _catches(exercise: Exercise, key: Key, probe: Probe, asked: Sequence[Probe], caught: Sequence[Wrong]) -> bool:
    """Whether some wrong answer would lose fewer points without this probe."""
    rest = [other for other in asked if other is not probe]
    for each in caught:
        if probe.name in each.faults:
            answers = each.answers if probe.shown else by_heart(key, each.answers)
            if _lost(mark(exercise, key, answers, asked)) > _lost(mark(exercise, key, answers, rest)):
                return True
    return False


def _tells_apart(key: Key, probe: Probe, asked: Sequence[Probe]) -> bool:
    """Whether some misconception would go by other names without this probe."""
    rest = [other for other in asked if other is not probe]
    return any(_names(key, asked, variant.answers) != _names(key, rest, variant.answers) for variant in key.variants)


def _names(key: Key, probes: Sequence[Probe], answers: Answers) -> tuple[str, ...]:
    found = diagnose(replace(key, probes=tuple(probes)), {probe.name: answers[probe.name] for probe in probes})
    return (*found.slugs, *(wrong.slug for wrong in found.told))


def _lost(result: Result) -> float:
    return result.max_points - result.points
