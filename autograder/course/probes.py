"""Draw the probes of an exercise by running its probes.py, which holds inputs and no answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from autograder.course.authored import authored_module, errors_of
from autograder.course.errors import ContentError, did_you_mean, display
from autograder.course.model import Course, Exercise
from autograder.records import Probe


class ProbeSet(NamedTuple):
    """What an exercise is asked, and how messages name the axes of what comes back."""

    probes: tuple[Probe, ...]
    axes: Mapping[str, tuple[str, ...]]


def probe_set(course: Course, exercise: Exercise, *, secret: bytes | None) -> ProbeSet:
    """The shown probes, and with a secret the hidden ones drawn from it, each set the same on every call.

    Runs probes.py, the author's own file. Raises ContentError where it fails or breaks the contract of
    docs/authoring.md; whether every check has a probe can only be told with a secret.
    """
    path = course.folder(exercise) / "probes.py"
    draws: dict[str, bytes] = {"shown": exercise.id.encode()}
    if secret is not None:
        draws["hidden"] = secret + exercise.id.encode()
    with authored_module(path) as module:
        missing = [name for name in ("shown", "hidden") if not callable(getattr(module, name, None))]
        if missing:
            raise ContentError(tuple(f"{display(path)}: has no function {name}(rng)" for name in missing))
        drawn = [
            replace(probe, shown=name == "shown")
            for name, seed in draws.items()
            for probe in _draw(path, name, getattr(module, name), seed)
        ]
        axes = getattr(module, "AXES", {})
    problems = [*_broken(drawn, exercise, has_driver=(path.parent / "driver.py").exists()), *_broken_axes(axes)]
    if secret is not None:
        counted = {probe.check for probe in drawn}
        problems += (f"no probe counts for check '{check.id}'" for check in exercise.checks if check.id not in counted)
    if problems:
        raise ContentError(tuple(f"{display(path)}: {problem}" for problem in problems))
    return ProbeSet(tuple(drawn), {part: tuple(names) for part, names in axes.items()})


def _draw(path: Path, name: str, generator: Callable[[Any], Any], seed: bytes) -> list[Probe]:
    import numpy as np

    rng = np.random.default_rng(int.from_bytes(sha256(seed).digest(), "big"))
    with errors_of(path, f"{name}()"):
        probes = list(generator(rng))
    if strange := [type(probe).__name__ for probe in probes if not isinstance(probe, Probe)]:
        raise ContentError((f"{display(path)}: {name}() must yield Probe objects, not {strange[0]}",))
    return probes


def _broken(probes: list[Probe], exercise: Exercise, *, has_driver: bool) -> Iterator[str]:
    checks = [check.id for check in exercise.checks]
    for name, count in Counter(probe.name for probe in probes).items():
        if count > 1:
            yield f"{count} probes are called '{name}'"
    for probe in probes:
        if probe.check not in checks:
            near = did_you_mean(probe.check, checks)
            yield f"probe '{probe.name}' counts for check '{probe.check}', which does not exist.{near}"
        if not probe.why.strip():
            yield f"probe '{probe.name}' does not say why it is there"
        if probe.call and probe.call not in exercise.defines and not has_driver:
            near = did_you_mean(probe.call, exercise.defines)
            yield f"probe '{probe.name}' calls '{probe.call}', which the exercise does not define.{near}"
        for name in set(probe.scattered) - probe.inputs.keys():
            near = did_you_mean(name, probe.inputs)
            yield f"probe '{probe.name}' scatters '{name}', which is not one of its inputs.{near}"


def _broken_axes(axes: Any) -> Iterator[str]:
    fits = isinstance(axes, dict) and all(
        isinstance(part, str) and isinstance(names, (tuple, list)) and all(isinstance(name, str) for name in names)
        for part, names in axes.items()
    )
    if not fits:
        yield 'AXES must map each part to the names of its axes, as in {"result": ("batch", "token")}'
