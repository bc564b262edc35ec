"""The key: what the model answer and every misconception answer to each probe. Compiled elsewhere, here only data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.records import Misconception, Observation, Pattern, Probe


@dataclass(frozen=True)
class Variant:
    """A misconception together with what it answers, by probe name."""

    misconception: Misconception
    answers: Mapping[str, Observation]


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
    patterns: tuple[Pattern, ...] = ()

    def called(self, probe: Probe) -> str:
        """The name that this probe calls."""
        return probe.call or self.entry
