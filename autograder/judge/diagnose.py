"""Which misconception the numbers come from, if exactly its numbers came back and they prove it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from autograder.judge.compare import Finding, compare, same
from autograder.judge.harm import known_by_harm
from autograder.judge.key import Key, Variant
from autograder.judge.proof import is_wrong, proved, same_in_full
from autograder.records import Misconception, Observation, Probe


@dataclass(frozen=True)
class Diagnosis:
    """The misconceptions whose answers are the learner's on every probe that counts; empty when there is none."""

    named: tuple[Misconception, ...] = ()
    at_once: bool = False
    """Whether all the named ones are there together. Otherwise each explains everything by itself."""
    told: tuple[Misconception, ...] = ()
    """Those that answer the same while thoughts that nobody listed do, too: their sentence is told, not their name."""

    @property
    def slugs(self) -> tuple[str, ...]:
        """Each named slug once."""
        return tuple(dict.fromkeys(m.slug for m in self.named))

    @property
    def family(self) -> str | None:
        """The family that all named misconceptions share, or all whose sentences are told where nothing is named."""
        families = {m.family for m in self.named or self.told}
        vouched = bool(self.named) or all(m.proves == "family" for m in self.told)
        return families.pop() if len(families) == 1 and vouched else None


def diagnose(key: Key, answers: Mapping[str, Observation], findings: Mapping[str, Finding] | None = None) -> Diagnosis:
    """Name a misconception only where its answers are the learner's on all ordinary probes of the name it stands for.

    What came back has to prove it, too: see `proved`. Where no ordinary probe went wrong, the other probes decide, and
    what happened to the inputs counts too: that is how a cut gradient or a changed input is told, in ways that nobody
    listed as well (`known_by_harm`). Probes that were not asked (hidden ones, at home) do not count. What builds on
    another name that is wrong has no name of its own.
    Two misconceptions at once are named only where no single one explains the answers. Pass the `findings` where they
    are known already.
    """
    asked = [probe for probe in key.probes if probe.name in answers]
    findings = findings or {p.name: compare(key.reference[p.name], answers[p.name], p, {}) for p in asked}
    named: list[Misconception] = []
    told: list[Misconception] = []
    unexplained = False
    for entry in dict.fromkeys(key.called(probe) for probe in asked):
        probes = [probe for probe in asked if key.called(probe) == entry]
        below = {probe.builds_on for probe in probes}
        if any(key.called(probe) in below and is_wrong(findings[probe.name].verdict) for probe in asked):
            continue
        verdicts = {probe.name: findings[probe.name].verdict for probe in probes}
        matching = _matching(key, entry, probes, verdicts, answers)
        proofs = [(variant.misconception, proved(key, variant, probes, verdicts, answers)) for variant in matching]
        shared = [wrong for wrong, proof in proofs if proof in ("family", "nothing")]
        told += shared  # what thoughts nobody listed answer too proves none of those that are listed
        named += [wrong for wrong, proof in proofs if proof == "name" and not shared]
        named += [] if matching else known_by_harm(key, entry, probes, findings, answers)
        unexplained |= not matching and any(p.ordinary and is_wrong(verdicts[p.name]) for p in probes)
    if unexplained and not named:
        return _at_once(key, answers)
    return Diagnosis(_once(named), told=_once(told))


def distinct(key: Key) -> Key:
    """The key without those misconceptions of contained steps that could not be named alone.

    Here they lead to nothing wrong, or to the answers of another misconception, of which the one written nearer stays.
    """
    homes = list(dict.fromkeys(variant.misconception.home for variant in key.variants))  # the nearest first
    kept = []
    for variant in key.variants:
        wrong = variant.misconception
        found = Diagnosis() if wrong.home == key.exercise else diagnose(key, variant.answers)
        named = (*found.named, *found.told)
        rivals = [each for each in named if each.slug not in (wrong.slug, *wrong.same_as)]
        alone = all(homes.index(each.home) > homes.index(wrong.home) for each in rivals)
        if wrong.home == key.exercise or (alone and wrong.slug in {each.slug for each in named}):
            kept.append(variant)
    return replace(key, variants=tuple(kept), known_sketches=None)


def _once(named: list[Misconception]) -> tuple[Misconception, ...]:
    """The first misconception of each slug."""
    return tuple({m.slug: m for m in reversed(named)}.values())[::-1]


def _matching(
    key: Key, entry: str, asked: list[Probe], verdicts: Mapping[str, str], answers: Mapping[str, Observation]
) -> list[Variant]:
    if set(verdicts.values()) == {"OK"}:
        return []
    ordinary = [probe for probe in asked if probe.ordinary]
    variants = key.near(entry, asked, answers)
    if any(is_wrong(verdicts[probe.name]) for probe in ordinary):
        return [v for v in variants if all(same(v.answers[p.name], answers[p.name], p) for p in ordinary)]
    asked = sorted(asked, key=lambda probe: verdicts[probe.name] == "OK")  # what is wrong tells most apart
    return [v for v in variants if all(same_in_full(key, v, p, answers[p.name]) for p in asked)]


def _at_once(key: Key, answers: Mapping[str, Observation]) -> Diagnosis:
    """The two misconceptions that together give these answers; where several twos do, what all of these share."""
    found = _run_together(key, answers) or _side_by_side(key, answers)
    if not found:
        return Diagnosis()
    shared = set.intersection(*({wrong.slug for wrong in pair} for pair in found))
    named = tuple(wrong for wrong in found[0] if wrong.slug in shared)
    return Diagnosis(named, at_once=len(named) > 1)


def _run_together(key: Key, answers: Mapping[str, Observation]) -> list[list[Misconception]]:
    """The pairs that were run and gave these answers to every probe they were run on, two or more."""
    if key.pairs is None:
        return []
    run = [probe for probe in key.probes if probe.name in key.pairs.sketches.probes and probe.name in answers]
    found = []
    for row in key.pairs.sketches.near(answers, run) if len(run) > 1 else ():
        theirs = key.pairs.answers[row]
        if all(same(theirs[probe.name], answers[probe.name], probe) for probe in run):
            found.append([key.variants[place].misconception for place in key.pairs.members[row]])
    return found


def _side_by_side(key: Key, answers: Mapping[str, Observation]) -> list[list[Misconception]]:
    """Pairs that show on different ordinary probes: each explains some of them in full and is right on the others."""
    ordinary = [probe for probe in key.probes if probe.ordinary and probe.name in answers]
    wrong = {p.name for p in ordinary if not same(key.reference[p.name], answers[p.name], p)}
    explains: dict[int, set[str]] = {}
    for probe in ordinary:
        for row in key.sketches.near(answers, [probe]) if probe.name in wrong else ():
            if same(key.variants[row].answers[probe.name], answers[probe.name], probe):
                explains.setdefault(row, set()).add(probe.name)
    fitting = [row for row, probes in explains.items() if _right_elsewhere(key, row, probes, ordinary)]
    return [
        [key.variants[one].misconception, key.variants[other].misconception]
        for one, other in combinations(fitting, 2)
        if explains[one] | explains[other] == wrong
        and key.variants[one].misconception.slug != key.variants[other].misconception.slug
    ]


def _right_elsewhere(key: Key, row: int, explained: set[str], ordinary: list[Probe]) -> bool:
    rest = (probe for probe in ordinary if probe.name not in explained)
    return all(same(key.reference[p.name], key.variants[row].answers[p.name], p) for p in rest)
