"""The grader's side of the boundary: start a zygote, ask a worker, and write down what it claimed as Observations.

Nothing that arrives from a worker is trusted: it is plain data within its caps, or an outcome such as `protocol`.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any
from weakref import WeakKeyDictionary

from autograder.course.model import Limits
from autograder.records import (
    NOT_ASKED,
    HeadcountError,
    Library,
    Observation,
    Observations,
    Outcome,
    Plain,
    Probe,
    Raised,
    as_numpy,
    as_plain,
)
from autograder.sandbox import paths, wire
from autograder.sandbox.walls import FULL, Isolation
from autograder.sandbox.worker import CONFINED

Callback = Callable[..., Any]
#: Threads must be off before NumPy or torch is imported: an OpenMP pool does not survive a fork.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
    "PATH": os.defpath, "HOME": "/", "USER": "learner", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1",
    "TORCHINDUCTOR_CACHE_DIR": "/dev",  # any folder that is there: torch.optim makes its cache when it is imported
}  # fmt: skip
#: Settings of the numeric libraries that belong to the machine and not to the user.
PASSED_ON = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "LD_LIBRARY_PATH")
#: Started without the user's settings and the current folder, but with the very packages the grader itself uses.
START = """
import json, sys
sys.path = json.loads(sys.argv[1])["path"]
from autograder.sandbox.keeper import main
main()
"""
#: Killed after this share of its processor time, a worker had used it up: on a busy machine the account by which the
#: kernel kills runs ahead of the one it reports.
USED_UP = 0.5
#: After this many deaths of one submission the probes not reached yet share the last one's fate.
MOST_DEATHS = 3
#: The share of its time that a submission gets for its other probes after one that ran out of time.
SECOND_CHANCE = 0.25
DISTURBING = "the file might disturb others in the same worker"
#: Processor time for all answers of a course to one exercise together.
COMPILE_SECONDS = 600


_QUESTIONS: WeakKeyDictionary[Probe, dict[str, bytes]] = WeakKeyDictionary()


class SandboxError(HeadcountError):
    """Raised when the machine cannot run workers; never the fault of a submission."""


@dataclass(frozen=True)
class Task:
    """What a worker is to be asked: one submission's text, how to drive it, and the probes."""

    source: str
    file: str
    library: Library
    entry: str
    probes: Sequence[Probe]
    driver: str | None = None
    ready_made: Sequence[str] = ()
    limits: Limits = field(default_factory=Limits)


class Fatal(Exception):
    """Raised when a worker cannot answer any more; holds what became of it."""

    def __init__(self, outcome: Outcome, detail: str) -> None:
        self.outcome: Outcome = outcome
        self.detail = detail


class Zygote:
    """A running zygote with one lane for each thread of the grader. Use as a context manager.

    ``highest`` bounds the level of isolation; ``isolation`` says what became of it, once the zygote is ready.
    """

    isolation: Isolation

    def __init__(self, lanes: int, libraries: Sequence[str], *, warm: bool = False, highest: int = FULL) -> None:
        pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(lanes)]
        self.lanes = [ours for ours, _ in pairs]
        theirs = [their for _, their in pairs]
        sockets = [their.fileno() for their in theirs]
        setup = {"sockets": sockets, "libraries": list(libraries), "warm": warm, "highest": min(highest, FULL)}
        setup["path"] = paths.imports()
        environment = ENVIRONMENT | {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", START, json.dumps(setup)],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            pass_fds=sockets, cwd="/", start_new_session=True,
        )  # fmt: skip
        for their in theirs:
            their.close()

    def wait_ready(self) -> None:
        """Wait until the libraries are loaded. Raises SandboxError with the last line of what went wrong."""
        for lane in self.lanes:
            message = lane.recv(65536)
            if not message:
                _, errors = self._process.communicate(timeout=10)
                last = errors.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it gave no reason"]
                raise SandboxError(f"the worker process did not start: {last[0]}")
            found = json.loads(message)["isolation"]
            self.isolation = Isolation(found["level"], found["words"], tuple(found["reasons"]))

    def close(self) -> None:
        """Hang up, and wait until the zygote and its workers are gone."""
        for lane in self.lanes:
            lane.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr:
            self._process.stderr.close()

    def kill(self) -> None:
        """End the zygote and its workers at once, whatever they are doing."""
        self._process.kill()

    def __enter__(self) -> Zygote:
        try:
            self.wait_ready()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


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
    waiting, limits = list(task.probes), task.limits
    while waiting:
        child = Child(lane, limits)
        try:
            verdict = _interview(child, task, waiting, seen, deadline)
        finally:
            child.close()
        printed, cpu = printed or child.printed(), cpu + child.cpu
        ready_made = ready_made or child.ready_made
        if verdict is None:
            break
        deaths += 1
        seen[verdict.probe] = verdict
        waiting = [probe for probe in waiting if probe.name != verdict.probe]
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


def observe_each(lane: socket.socket, tasks: Sequence[Task]) -> list[Observations]:
    """Like `observe` for each task, but in one shared worker: only for a course's own answers.

    They leave each other alone. One that ends the worker is asked again in workers of its own.
    """
    done: list[Observations] = []
    child: Child | None = None
    try:
        for task in tasks:
            child = child or Child(lane, replace(task.limits, cpu_seconds=COMPILE_SECONDS))
            waiting, seen = list(task.probes), dict[str, Observation]()
            deadline = time.monotonic() + task.limits.total_seconds
            if _interview(child, task, waiting, seen, deadline) is None:
                done.append(Observations(seen))
            else:
                child.close()
                child = None
                done.append(observe(lane, task))
    finally:
        if child:
            child.close()
    return done


def observe_together(lane: socket.socket, tasks: Sequence[Task]) -> list[Observations | None]:
    """Ask several tasks of one learner in one shared worker, which saves a fork for each.

    None stands for a task that has to be asked alone: its file might disturb others, or the worker ended before it
    was done.
    """
    done: list[Observations | None] = []
    if not tasks:
        return done
    child = Child(lane, tasks[0].limits)
    try:
        for task in tasks:
            waiting, seen = list(task.probes), dict[str, Observation]()
            deadline = time.monotonic() + task.limits.total_seconds
            ended = _interview(child, task, waiting, seen, deadline, shared=True)
            done.append(None if ended else Observations(seen, ready_made=child.ready_made))
            if ended and ended.detail != DISTURBING:
                break
    finally:
        child.close()
    return done + [None] * (len(tasks) - len(done))


def _interview(
    child: Child,
    task: Task,
    waiting: list[Probe],
    seen: dict[str, Observation],
    deadline: float,
    *,
    shared: bool = False,
) -> Observation | None:
    """Load the submission and ask the waiting probes, taking each answered one off the list.

    Returns the observation that ended the worker, or None when all were answered.
    """
    name = waiting[0].name
    question: dict[str, Plain] = {"ask": "load", "source": task.source, "file": task.file, "driver": task.driver}
    question |= {"library": task.library, "shared": shared, "ready_made": list(task.ready_made)}
    try:
        loaded = child.ask(wire.encode(question), deadline)
    except Fatal as end:
        return Observation(name, end.outcome, "load", detail=end.detail)
    if shared and loaded.get("outcome") == "disturbing":
        return Observation(name, "not_run", "load", detail=DISTURBING)
    if loaded.get("outcome") != "returned":
        for probe in waiting:
            seen[probe.name] = _observation(probe, loaded, task.library, "load")
        waiting.clear()
        return None
    library: Library = "torch" if loaded.get("library") == "torch" else "numpy"
    child.notice(loaded, task.ready_made, afresh=True)
    while waiting:
        probe = waiting[0]
        try:
            answer = child.ask(_question(probe, task.entry), deadline, probe.callbacks)
        except Fatal as end:
            return Observation(probe.name, end.outcome, "call", detail=end.detail, library=library)
        child.notice(answer, task.ready_made)
        seen[probe.name] = _observation(probe, answer, library, "call")
        waiting.pop(0)
    return None


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
    outcome, detail = answer.get("outcome"), _clean(answer.get("detail"))
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
            frames.append((item[0], _clean(item[1]), _clean(item[2])))
    return Raised(_clean(answer.get("type"))[:80], _clean(answer.get("message")), tuple(frames[-20:]))


def _clean(text: Plain, cap: int = 2000) -> str:
    """Text from a worker, safe to print: no control characters, no length without bound."""
    shown = text if isinstance(text, str) else ""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in shown[:cap])


class Child:
    """One forked worker and the pipes to it."""

    def __init__(self, lane: socket.socket, limits: Limits) -> None:
        self.lane, self.limits = lane, limits
        self.cpu, self._status, self._confined = 0.0, None, False
        self.ready_made: tuple[tuple[str, int], ...] = ()
        self._buffer, self._output = bytearray(), bytearray()
        question_end, self._questions = os.pipe2(os.O_CLOEXEC)
        self._answers, answer_end = os.pipe2(os.O_CLOEXEC)
        self._prints, print_end = os.pipe2(os.O_CLOEXEC)
        theirs = [question_end, answer_end, print_end]
        request = {"cpu_seconds": math.ceil(limits.cpu_seconds), "memory_mb": limits.memory_mb}
        try:
            socket.send_fds(lane, [json.dumps(request).encode()], theirs)
            reply, handles, _, _ = socket.recv_fds(lane, 65536, 1)
        except OSError as error:
            reply, handles = json.dumps({"reason": str(error)}).encode(), []
        finally:
            for end in theirs:
                os.close(end)
        if not handles:
            for end in (self._questions, self._answers, self._prints):
                os.close(end)
            reason = json.loads(reply or b"{}").get("reason", "the zygote has gone")
            raise SandboxError(f"no worker process could be started: {reason}")
        self._handle = handles[0]
        for end in (self._questions, self._answers, self._prints):
            os.set_blocking(end, False)
        self._poller = select.poll()
        for end in (self._answers, self._prints, self._handle):
            self._poller.register(end, select.POLLIN)

    def ask(
        self, question: bytes, deadline: float, callbacks: Mapping[str, Callback] | None = None
    ) -> dict[str, Plain]:
        """The answer to an encoded question. Raises Fatal when the worker died, was too slow or broke the protocol."""
        number = int.from_bytes(os.urandom(7), "little")  # so that no answer can be prepared before its question
        deadline = min(deadline, time.monotonic() + self.limits.wall_seconds)
        if not self._confined:
            self._await(len(CONFINED), deadline)
            self._confined = self._buffer.startswith(CONFINED)
            del self._buffer[: len(CONFINED)]
        if self._buffer or self._read_answers():
            raise Fatal("protocol", "bytes arrived before the question was asked")
        self._write(wire.numbered(question, number), deadline)
        while True:
            answer = self._receive(number, deadline)
            if answer.get("outcome") != "asks":
                return answer
            self._write(wire.frame({**_reply(answer, callbacks or {}), "number": number}), deadline)

    def notice(self, answer: Mapping[str, Plain], names: Sequence[str], *, afresh: bool = False) -> None:
        """Add the ready-made names that an answer reports, of those asked for; start anew for a new source."""
        found = [] if afresh else list(self.ready_made)
        listed = answer.get("ready_made")
        for item in listed if isinstance(listed, list) else []:
            match item:
                case [str(name), int(line)] if name in names:
                    found.append((name, line))
        self.ready_made = tuple(sorted(set(found), key=lambda mention: mention[::-1]))

    def _receive(self, number: int, deadline: float) -> dict[str, Plain]:
        self._await(wire.HEADER.size, deadline)
        try:
            length = wire.payload_length(bytes(self._buffer[: wire.HEADER.size]))
            if length > wire.MAX_FRAME:
                raise Fatal("too_large", f"an answer of {length >> 20} MB, at most {wire.MAX_FRAME >> 20} MB are read")
            self._await(wire.HEADER.size + length, deadline)
            payload = bytes(self._buffer[wire.HEADER.size : wire.HEADER.size + length])
            answer = wire.decode(payload)
        except wire.WireError as problem:
            raise Fatal("protocol", f"a malformed answer ({problem})") from None
        del self._buffer[: wire.HEADER.size + length]
        if not isinstance(answer, dict) or answer.get("number") != number:
            raise Fatal("protocol", "an answer that belongs to no question")
        return answer

    def _write(self, data: bytes, deadline: float) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._questions, rest) :]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise Fatal("timed_out", "it did not read its input") from None
                select.select([], [self._questions], [], 0.05)
            except BrokenPipeError:
                raise self._death() from None

    def _await(self, count: int, deadline: float) -> None:
        """Read until `count` bytes are there. Death of the worker is told by its pidfd, never by a closed pipe."""
        while len(self._buffer) < count:
            left = deadline - time.monotonic()
            if left <= 0 and not self._confined:
                raise Fatal("not_run", "the worker was not ready in time")
            if left <= 0:
                raise Fatal("timed_out", f"no answer within {self.limits.wall_seconds:g} seconds")
            ready = dict(self._poller.poll(left * 1000))
            if self._prints in ready and not self._read_prints():
                self._poller.unregister(self._prints)  # closed by the submission; answers may still come
            if self._answers in ready and self._read_answers():
                continue
            if self._handle in ready:
                raise self._death()
            if self._answers in ready:
                if select.select([self._handle], [], [], 0.5)[0]:
                    raise self._death()
                raise Fatal("protocol", "the answer channel was closed by the submission")

    def _read_answers(self) -> bool:
        try:
            piece = os.read(self._answers, 1 << 20)
        except BlockingIOError:
            return False
        self._buffer += piece
        return bool(piece)

    def _read_prints(self) -> bool:
        """Keep what was printed up to the cap; beyond it, drain and forget, so that printing never blocks a worker."""
        try:
            piece = os.read(self._prints, 1 << 16)
        except BlockingIOError:
            return False
        self._output += piece[: max(0, self.limits.output_kb * 1024 - len(self._output))]
        return bool(piece)

    def _death(self) -> Fatal:
        """What became of a worker that has ended."""
        status = self._ended(5.0)
        if status is None:
            return Fatal("not_run", "the worker process has gone")
        if not self._confined:
            return Fatal("not_run", "the worker could not be confined")
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if number == signal.SIGKILL and self.cpu >= self.limits.cpu_seconds * USED_UP:
                return Fatal("cpu_limit", f"more than {self.limits.cpu_seconds:g} seconds of processor time")
            if number == signal.SIGKILL:  # no worker can send it to itself
                return Fatal("not_run", "the worker was killed from outside, perhaps because memory ran out")
            return Fatal("crashed", _signal_name(number))
        return Fatal("exited", f"status {os.WEXITSTATUS(status)}")

    def _ended(self, seconds: float) -> int | None:
        self.lane.settimeout(seconds)
        try:
            while self._status is None:
                event = json.loads(self.lane.recv(65536) or b"{}")
                if event.get("event") == "ended":
                    self._status, self.cpu = event["status"], event["cpu"]
                elif not event:
                    return None
        except OSError:
            return None
        finally:
            self.lane.settimeout(None)
        return self._status

    def close(self) -> None:
        """End the worker, whatever it is doing, and collect its status."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        self._ended(10.0)
        while self._read_prints():  # what was printed before the end is still in the pipe
            pass
        for end in (self._questions, self._answers, self._prints, self._handle):
            os.close(end)

    def printed(self) -> str:
        """What the submission printed, up to the cap, safe to show."""
        return _clean(self._output.decode("utf-8", "replace"), self.limits.output_kb * 1024)


def _reply(answer: dict[str, Plain], callbacks: Mapping[str, Callback]) -> dict[str, Plain]:
    name, arguments = answer.get("name"), answer.get("arguments")
    if not isinstance(name, str) or name not in callbacks or not isinstance(arguments, list):
        return {"error": "there is nothing to ask by that name"}
    try:
        return {"value": as_plain(callbacks[name](*(as_numpy(value) for value in arguments)))}
    except Exception as problem:  # the arguments are a claim like everything else
        return {"error": f"{type(problem).__name__}: {problem}"}


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
