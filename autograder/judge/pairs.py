"""Which two misconceptions at once are worth running, and which of those can be told from one alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from autograder.judge.compare import same
from autograder.judge.key import Key, Variant
from autograder.judge.sketch import Sketches
from autograder.records import Array, Observation, Plain, Probe

#: Bytes in the answer to a probe, beyond which it costs more to run and keep for every pair than it tells.
MOST_BYTES = 10_000
Answers = Mapping[str, Observation]


def probes_for_pairs(key: Key) -> list[Probe]:
    """The ordinary probes with small answers: pairs are told from the values they get wrong."""
    return [
        probe
        for probe in key.probes
        if probe.ordinary
        and key.reference[probe.name].outcome == "returned"
        and _size(key.reference[probe.name].parts.values()) <= MOST_BYTES
    ]


def worth_running(key: Key, probes: Sequence[Probe]) -> list[tuple[int, int]]:
    """Places of two variants that differ in thought and in the step they spoil, each with wrong values of its own."""
    members: list[int] = []
    for place, variant in enumerate(key.variants):
        if _counts(key, variant, probes) and not any(_alike(key.variants[m], variant, probes) for m in members):
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


def _counts(key: Key, variant: Variant, probes: Sequence[Probe]) -> bool:
    answers = variant.answers
    answered = all(answers[probe.name].outcome == "returned" for probe in probes)
    return answered and not _agree(key.reference, answers, probes)


def _alike(one: Variant, other: Variant, probes: Sequence[Probe]) -> bool:
    """Whether one of two with the same thought is enough."""
    a, b = one.misconception, other.misconception
    thought = a.slug == b.slug and a.step == b.step or a.slug in b.same_as
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
