"""The grader's side of the boundary: ask workers every probe, and write down what they claimed as Observations.

Nothing that arrives from a worker is trusted: it is plain data within its caps, or an outcome such as `protocol`.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import Any
from weakref import WeakKeyDictionary

from autograder.course.model import Limits
from autograder.plain import Library, Plain, as_plain, clean
from autograder.records import NOT_ASKED, Observation, Observations, Outcome, Probe, Raised
from autograder.sandbox import wire
from autograder.sandbox.child import Child, Fatal
from autograder.sandbox.spawned import SpawnedChild, SpawnedLane

#: After this many deaths of one submission the probes not reached yet share the last one's fate.
MOST_DEATHS = 3
#: Bytes of all that is kept of one submission's answers; an honest one stays far below.
MOST_KEPT = 24 << 20
#: The share of its time that a submission gets for its other probes after one that ran out of time.
SECOND_CHANCE = 0.25
DISTURBING = "the file might disturb others in the same worker"
NOT_RIGHT = "an answer was not right, so the others will not count either"
TOO_MUCH = f"answers of more than {MOST_KEPT >> 20} MB in all"
#: Processor time for all answers of a course to one exercise together.
COMPILE_SECONDS = 600


IsRight = Callable[[int, Probe, Observation], bool]
"""Whether the task of this number answered a probe rightly."""
_QUESTIONS: WeakKeyDictionary[Probe, dict[str, bytes]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Task:
    """What a worker is to be asked: one submission's text, how to drive it, and the probes."""

    source: str
    file: str
    library: Library
    entry: str
    probes: Sequence[Probe]
    driver: str | None = None
    replacing: Sequence[str] = ()
    """Definitions to be run after the source, in the place of its own."""
    ready_made: Sequence[str] = ()
    limits: Limits = field(default_factory=Limits)


def observe(lane: socket.socket, task: Task) -> Observations:
    """Ask one submission every probe and return what it claimed, in the order of the probes.

    A worker that dies costs the probe at hand; the rest go on in a new one, up to `MOST_DEATHS`. After one that ran out
    of time they get a fraction of it. Probes that are not reached, or cannot be since the file does not load, share the
    fate of the last one.
    """
    seen: dict[str, Observation] = {}
    printed, cpu, deaths = "", 0.0, 0
    ready_made: tuple[tuple[str, int], ...] = ()
    deadline = time.monotonic() + task.limits.total_seconds
    waiting, limits, room = list(task.probes), task.limits, MOST_KEPT
    while waiting:
        child = _child_on(lane, limits)
        asking = _for_one_worker(waiting)
        try:
            verdict = _interview(child, task, list(asking), seen, deadline, room=room)
            if verdict or len(asking) < len(waiting):  # another one follows
                deadline += child.lost()
        finally:
            child.close()
        room -= child.kept
        printed, cpu = printed or child.printed(), cpu + child.cpu
        ready_made = ready_made or child.ready_made
        if verdict is None:
            waiting = waiting[len(asking) :]
            first = seen[asking[0].name]
            if first.stage == "load":  # it would not load the next time either
                seen |= {probe.name: replace(first, probe=probe.name) for probe in waiting}
                break
            continue
        deaths += 1
        seen[verdict.probe] = verdict
        waiting = [probe for probe in waiting if probe.name not in seen]
        slow = verdict.outcome in ("timed_out", "cpu_limit")
        if verdict.stage == "load" or deaths >= MOST_DEATHS or (slow and limits is not task.limits):
            detail = NOT_ASKED if slow and verdict.stage == "call" else verdict.detail
            for probe in waiting:
                seen[probe.name] = Observation(probe.name, verdict.outcome, verdict.stage, detail=detail)
            break
        if slow:
            share = SECOND_CHANCE
            limits = replace(limits, cpu_seconds=limits.cpu_seconds * share, wall_seconds=limits.wall_seconds * share)
    return Observations({probe.name: seen[probe.name] for probe in task.probes}, printed, cpu, ready_made)


def _for_one_worker(waiting: Sequence[Probe]) -> Sequence[Probe]:
    """As many of the first probes as may share a worker."""
    if waiting[0].alone:
        return waiting[:1]
    return list(takewhile(lambda probe: not probe.alone, waiting))


def observe_each(lane: socket.socket, tasks: Sequence[Task]) -> list[Observations]:
    """Like `observe` for each task, but in one shared worker: only for a course's own answers.

    They leave each other alone. One that ends the worker is asked again in workers of its own.
    """
    done: list[Observations] = []
    child: Child | None = None
    try:
        for task in tasks:
            child = child or _child_on(lane, replace(task.limits, cpu_seconds=COMPILE_SECONDS))
            seen, ended = _ask_all(child, task)
            if ended is None:
                done.append(Observations(seen))
            else:
                child.close()
                child = None
                done.append(observe(lane, task))
    finally:
        if child:
            child.close()
    return done


def observe_together(lane: socket.socket, tasks: Sequence[Task], right: IsRight) -> list[Observations | None]:
    """Ask several tasks of one learner in one shared worker, which saves a fork for each.

    None stands for a task that has to be asked alone: one of its answers is not `right`, its file might disturb others,
    one of its probes wants a worker to itself, or the worker ended before it was done. The first task is as good as
    alone: nothing ran before it.
    """
    done: list[Observations | None] = []
    if not tasks:
        return done
    child = _child_on(lane, tasks[0].limits)
    try:
        for number, task in enumerate(tasks):
            if any(probe.alone for probe in task.probes):
                done.append(None)
                continue
            seen, ended = _ask_all(child, task, shared=True, go_on=partial(right, number) if number else None)
            done.append(None if ended else Observations(seen, ready_made=child.ready_made))
            if ended and ended.detail not in (DISTURBING, NOT_RIGHT):
                break
    finally:
        child.close()
    return done + [None] * (len(tasks) - len(done))


def _ask_all(
    child: Child, task: Task, *, shared: bool = False, go_on: Callable[[Probe, Observation], bool] | None = None
) -> tuple[dict[str, Observation], Observation | None]:
    """What a task answered to its probes in a worker that others have too, and what ended that, if anything did."""
    seen: dict[str, Observation] = {}
    deadline = time.monotonic() + task.limits.total_seconds
    return seen, _interview(child, task, list(task.probes), seen, deadline, shared=shared, go_on=go_on)


def _interview(
    child: Child,
    task: Task,
    waiting: list[Probe],
    seen: dict[str, Observation],
    deadline: float,
    *,
    shared: bool = False,
    go_on: Callable[[Probe, Observation], bool] | None = None,
    room: int = MOST_KEPT,
) -> Observation | None:
    """Load the submission and ask the waiting probes, taking each answered one off the list. `room` is for its answers.

    Returns the observation that ended the worker or the interview, or None when all were answered.
    """
    name = waiting[0].name
    question: dict[str, Plain] = {"ask": "load", "source": task.source, "file": task.file, "driver": task.driver}
    question |= {"library": task.library, "shared": shared, "ready_made": list(task.ready_made)}
    question["replacing"] = list(task.replacing)
    try:
        loaded = child.ask(wire.encode(question), deadline)
    except Fatal as end:
        return Observation(name, end.outcome, "load", detail=end.detail)
    if shared and loaded.get("outcome") == "disturbing":
        return Observation(name, "not_run", "load", detail=DISTURBING)
    child.notice(loaded, task.ready_made, afresh=True)
    if loaded.get("outcome") != "returned":
        for probe in waiting:
            seen[probe.name] = _observation(probe, loaded, task.library, "load")
        waiting.clear()
        return Observation(name, "not_run", "load", detail=NOT_RIGHT) if go_on else None
    library: Library = "torch" if loaded.get("library") == "torch" else "numpy"
    room += child.kept
    while waiting:
        probe = waiting[0]
        try:
            answer = child.ask(_question(probe, task.entry), deadline, probe.callbacks)
        except Fatal as end:
            return Observation(probe.name, end.outcome, "call", detail=end.detail, library=library)
        child.notice(answer, task.ready_made)
        if child.kept > room:
            return Observation(probe.name, "too_large", "call", detail=TOO_MUCH, library=library)
        seen[probe.name] = _observation(probe, answer, library, "call")
        if go_on and not go_on(probe, seen[probe.name]):
            return Observation(probe.name, "not_run", "call", detail=NOT_RIGHT)
        waiting.pop(0)
    return None


def _child_on(lane: socket.socket, limits: Limits) -> Child:
    """A worker of this lane. Raises SandboxError where none can be started."""
    return SpawnedChild(lane, limits) if isinstance(lane, SpawnedLane) else Child(lane, limits)


def _question(probe: Probe, entry: str) -> bytes:
    """The encoded question that a probe asks; encoded once, asked of a whole class."""
    call = probe.call or entry
    known = _QUESTIONS.setdefault(probe, {})
    if call not in known:
        inputs: dict[str, Plain] = {name: as_plain(value) for name, value in probe.inputs.items()}
        question: dict[str, Plain] = {"ask": "call", "call": call, "gradient": probe.gradient, "inputs": inputs}
        known[call] = wire.encode(question | {"scattered": list(probe.scattered)})
    return known[call]


def _observation(probe: Probe, answer: dict[str, Plain], library: Library, stage: Any) -> Observation:
    """An answer as an Observation; what does not have the agreed form is the outcome `protocol`."""
    outcome, detail = answer.get("outcome"), _line(answer.get("detail"))
    parts, listed = answer.get("parts"), answer.get("changed")
    if outcome == "returned" and isinstance(parts, dict) and isinstance(listed, list):
        changed = tuple(name for name in probe.inputs if name in listed)
        return Observation(probe.name, "returned", "call", parts, changed, library=library)
    if outcome == "raised":
        raised = _raised(answer)
        return Observation(probe.name, "raised", stage, raised=raised, library=library)
    if outcome in ("not_defined", "not_plain", "exited"):
        named: Outcome = outcome  # type: ignore[assignment]
        return Observation(probe.name, named, stage, detail=detail, library=library)
    return Observation(probe.name, "protocol", stage, detail="an answer without the agreed form", library=library)


def _raised(answer: dict[str, Plain]) -> Raised:
    frames = []
    listed = answer.get("frames")
    for item in listed if isinstance(listed, list) else []:
        if isinstance(item, list) and len(item) == 3 and isinstance(item[0], int):
            frames.append((item[0], _line(item[1]), _line(item[2])))
    shapes = _shapes(answer.get("shapes"))
    kind = clean(answer.get("type"))[:80]
    named = kind if kind.isidentifier() else "an exception without a proper name"
    return Raised(named, clean(answer.get("message")), tuple(frames[-20:]), shapes)


def _line(text: Plain) -> str:
    """Text from a worker that is to be told within a sentence."""
    return " ".join(clean(text).split("\n"))


def _shapes(listed: Plain) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Names with shapes, as far as they have the agreed form: at most 6 names that Python allows, 8 axes each."""
    found = []
    for item in listed[:6] if isinstance(listed, list) else []:
        name, shape = item if isinstance(item, list) and len(item) == 2 else (None, None)
        if isinstance(name, str) and name.isidentifier() and len(name) <= 80 and isinstance(shape, list):
            found.append((clean(name), tuple(size for size in shape[:8] if type(size) is int)))
    return tuple(found)
