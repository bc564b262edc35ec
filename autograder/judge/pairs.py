"""Which two misconceptions at once are worth running, and which of those can be told from one alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from autograder.judge.compare import measured, same
from autograder.judge.key import Key, Variant
from autograder.judge.sketch import Sketches
from autograder.plain import Array, Plain
from autograder.records import Observation, Probe

#: On how many probes a pair is run: it is told from the values it gets wrong, and each probe costs time for every pair.
PROBES = 2
#: How many of the wrong answers that the most telling probe rejects a probe has to reject for that.
NEARLY = 0.75
Answers = Mapping[str, Observation]


def probes_for_pairs(key: Key) -> list[Probe]:
    """Ordinary probes with small answers on which most wrong answers are wrong; empty where there are too few.

    All of one name, that of the most telling one. Numbers are asked for everywhere: they cost nothing, and say little.
    """
    members = [variant for variant in key.variants if not _alone(variant)]
    asked = [probe for probe in key.probes if probe.ordinary and key.reference[probe.name].outcome == "returned"]
    wrong = {p.name: sum(not _agree(key.reference, variant.answers, [p]) for variant in members) for p in asked}
    if not asked:
        return []
    entry = key.called(max(asked, key=lambda probe: wrong[probe.name]))
    asked = [probe for probe in asked if key.called(probe) == entry]
    if not any(_size(key.reference[probe.name].parts.values()) for probe in asked):
        return asked if len(asked) >= PROBES else []
    at_stake = sum(variant.misconception.entry == entry for variant in members)
    enough = max(at_stake / 2, NEARLY * max(wrong[probe.name] for probe in asked))
    found = [probe for probe in asked if wrong[probe.name] > enough]
    found.sort(key=lambda probe: _size(key.reference[probe.name].parts.values()))
    return found[:PROBES] if len(found) >= PROBES else []


def worth_running(key: Key, probes: Sequence[Probe]) -> list[tuple[int, int]]:
    """Places of two variants that differ in thought and in the step they spoil, and leave room for each other."""
    members: list[int] = []
    for place, variant in enumerate(key.variants):
        if _leaves_room(key, variant, probes) and not any(_alike(key.variants[m], variant, probes) for m in members):
            members.append(place)
    return [pair for pair in combinations(members, 2) if _combine(*(key.variants[place] for place in pair))]


def told_apart(key: Key, probes: Sequence[Probe], rows: Sequence[Answers]) -> list[int]:
    """The rows of answers in which both of a pair show: neither right, nor what a single misconception answers."""
    singles = [key.reference, *(variant.answers for variant in key.variants)]
    sketches = Sketches.of(singles, probes)
    told = []
    for place, row in enumerate(rows):
        if all(row[probe.name].outcome == "returned" for probe in probes):
            near = (singles[index] for index in sketches.near(row, probes))
            if not any(_agree(single, row, probes) for single in near):
                told.append(place)
    return told


def _leaves_room(key: Key, variant: Variant, probes: Sequence[Probe]) -> bool:
    """Whether values come back in which another misconception can show: some wrong, all of the right form."""
    if _alone(variant) or not probes or _agree(key.reference, variant.answers, probes):
        return False
    return all(_form(variant.answers, probe) == _form(key.reference, probe) for probe in probes)


def _alone(variant: Variant) -> bool:
    """Whether a misconception is not looked for together with another one: too rare, or proved by too little."""
    return variant.misconception.alone or variant.misconception.proves in ("family", "nothing")


def _form(answers: Answers, probe: Probe) -> list[Any]:
    """The shapes of what is compared."""
    answer = answers[probe.name]
    parts = measured(answer.parts, probe) if answer.outcome == "returned" else {}
    return [(name, getattr(value, "shape", None)) for name, value in parts.items()]


def _alike(one: Variant, other: Variant, probes: Sequence[Probe]) -> bool:
    """Whether one of two with the same thought is enough."""
    a, b = one.misconception, other.misconception
    thought = (a.slug == b.slug and a.step == b.step) or a.slug in b.same_as
    return thought and _agree(one.answers, other.answers, probes)


def _combine(one: Variant, other: Variant) -> bool:
    a, b = one.misconception, other.misconception
    return a.entry == b.entry and a.step != b.step and a.slug != b.slug and a.slug not in b.same_as


def _agree(one: Answers, other: Answers, probes: Sequence[Probe]) -> bool:
    return all(same(one[probe.name], other[probe.name], probe) for probe in probes)


def _size(values: Iterable[Plain]) -> int:
    total = 0
    for value in values:
        if isinstance(value, Array):
            total += len(value.data)
        elif isinstance(value, (list, dict)):
            total += _size(value.values() if isinstance(value, dict) else value)
    return total
