"""Which misconception the numbers come from, if exactly its numbers came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autograder.judge.compare import compare, same
from autograder.judge.key import Key, Variant
from autograder.records import Misconception, Observation, Probe


@dataclass(frozen=True)
class Diagnosis:
    """The misconceptions whose answers are the learner's on every probe that counts; empty when there is none."""

    named: tuple[Misconception, ...] = ()

    @property
    def slugs(self) -> tuple[str, ...]:
        """Each named slug once."""
        return tuple(dict.fromkeys(m.slug for m in self.named))

    @property
    def family(self) -> str | None:
        """The family all named misconceptions share."""
        families = {m.family for m in self.named}
        return families.pop() if len(families) == 1 else None


def diagnose(key: Key, answers: Mapping[str, Observation]) -> Diagnosis:
    """Name a misconception only where its answers are the learner's on all ordinary probes of the name it stands for.

    Where no ordinary probe went wrong, the other probes decide, and what happened to the inputs counts too: that is
    how a cut gradient or a changed input is told. Probes that were not asked (hidden ones, at home) do not count.
    """
    asked = [probe for probe in key.probes if probe.name in answers]
    named = [
        variant.misconception
        for entry in dict.fromkeys(key.called(probe) for probe in asked)
        for variant in _matching(key, entry, [probe for probe in asked if key.called(probe) == entry], answers)
    ]
    return Diagnosis(tuple({m.slug: m for m in reversed(named)}.values())[::-1])


def _matching(key: Key, entry: str, asked: list[Probe], answers: Mapping[str, Observation]) -> list[Variant]:
    verdicts = {p.name: compare(key.reference[p.name], answers[p.name], p, {}).verdict for p in asked}
    if set(verdicts.values()) == {"OK"}:
        return []
    ordinary = [probe for probe in asked if probe.ordinary]
    variants = [variant for variant in key.variants if variant.misconception.entry == entry]
    if any(verdicts[probe.name] not in ("OK", "MUTATED") for probe in ordinary):
        return [v for v in variants if all(same(v.answers[p.name], answers[p.name], p) for p in ordinary)]
    return [v for v in variants if all(_same_in_full(key, v, p, answers[p.name]) for p in asked)]


def _same_in_full(key: Key, variant: Variant, probe: Probe, got: Observation) -> bool:
    theirs = variant.answers[probe.name]
    if key.reference[probe.name].outcome == "raised" and got.outcome == theirs.outcome == "raised":
        return True  # a refusal is a refusal, whatever its words
    return set(theirs.changed) == set(got.changed) and same(theirs, got, probe)
