"""The key: what the model answer and every misconception answer to each probe. Compiled elsewhere, here only data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from autograder.judge.sketch import Sketches
from autograder.records import Misconception, Observation, Pattern, Probe


@dataclass(frozen=True)
class Variant:
    """A misconception together with what it answers, by probe name."""

    misconception: Misconception
    answers: Mapping[str, Observation]


@dataclass(frozen=True)
class Pairs:
    """What two misconceptions at once answer, for every two that can be told from each of them alone."""

    members: Sequence[tuple[int, int]]
    """Two places in the variants of the key."""
    answers: Sequence[Mapping[str, Observation]]
    """What each pair answers to the ordinary probes that pairs are run on."""
    sketches: Sketches


@dataclass(frozen=True)
class Key:
    """Everything the judge knows about one exercise. Never enters a worker."""

    exercise: str
    entry: str
    """The name that is called where a probe names none."""
    probes: tuple[Probe, ...]
    reference: Mapping[str, Observation]
    variants: tuple[Variant, ...] = ()
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    version: str = ""
    """Content hash of everything the key was compiled from."""
    known_sketches: Sketches | None = None
    """Of what the variants answer, where somebody has made them before."""
    load_pairs: Callable[[], Pairs | None] = lambda: None
    """Two misconceptions at once; looked up only for answers that no single one explains."""
    patterns: tuple[Pattern, ...] = ()

    def called(self, probe: Probe) -> str:
        """The name that this probe calls."""
        return probe.call or self.entry

    @cached_property
    def pairs(self) -> Pairs | None:
        """Two misconceptions at once; None where nothing is known of them."""
        return self.load_pairs()

    @cached_property
    def sketches(self) -> Sketches:
        """Of what the variants answer to the ordinary probes."""
        if self.known_sketches and len(self.known_sketches.kinds) == len(self.variants):
            return self.known_sketches
        ordinary = [probe for probe in self.probes if probe.ordinary]
        return Sketches.of([variant.answers for variant in self.variants], ordinary)

    def near(self, entry: str, asked: Sequence[Probe], answers: Mapping[str, Observation]) -> Iterator[Variant]:
        """The variants of a name that may agree with these answers on all its ordinary probes that have one."""
        answered = [probe for probe in asked if probe.ordinary and self.reference[probe.name].outcome == "returned"]
        found = (self.variants[row] for row in self.sketches.near(answers, answered))
        return (variant for variant in found if variant.misconception.entry == entry)
