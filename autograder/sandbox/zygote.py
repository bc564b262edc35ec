"""The zygote: imports the libraries once, then forks one worker for every request. Holds no secret, runs no learner byte.

It listens on control sockets, one for each lane of the grader. A request carries the limits as JSON and three descriptors:
where the worker reads questions, writes answers and prints. The reply carries the worker's pidfd; when the worker ends,
its status and processor time follow on the same socket.

The process the grader starts is only a keeper. It tries the levels of isolation from the highest down, each in a fresh
fork, since walls cannot be taken down again; the fork whose self-test passes becomes the zygote, the others end.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from autograder.sandbox import selftest, syscalls, worker
from autograder.sandbox.cgroups import Group
from autograder.sandbox.walls import LIMITED, NONE, WORDS, Walls

QUESTIONS, ANSWERS = 3, 4
#: What the self-test may use; it needs next to nothing.
TEST_LIMITS = {"cpu_seconds": 4, "memory_mb": 256}
TEST_SECONDS = 30
#: Loaded beforehand where a worker can open no file: what learners import, and what Python imports late by itself.
COMMON = """
abc array bisect cmath collections copy dataclasses datetime decimal encodings.idna enum fractions functools heapq
inspect io itertools json math numbers operator pathlib pprint random re statistics string struct textwrap time
traceback types typing unittest warnings
""".split()
READY, PASSED = "ready", b"passed"


def main() -> None:
    """Serve forks until every control socket is closed.

    Arguments: one JSON object with `sockets`, `libraries`, `warm` and `highest`, the highest level of isolation to try.
    """
    setup = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the grader decides when a run ends
    group = Group(len(setup["sockets"]))
    reasons: list[str] = []
    try:
        for level in range(setup["highest"], NONE - 1, -1):
            refusal = _try(level, setup, group, reasons)
            if refusal is None:
                return
            reasons.append(f"not {WORDS[level].partition(':')[0]}: {refusal}")
        sys.exit(refusal)
    finally:
        group.close()


def _try(level: int, setup: dict[str, Any], group: Group, reasons: Sequence[str]) -> str | None:
    """Let a fork become a zygote at this level and wait for its end. Returns why it could not."""
    with selftest.Canary() as canary:
        told, tell = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(told)
            notes = [*reasons, group.missing] if group.missing else reasons
            _become_zygote(level, setup, canary, notes, tell)
        os.close(tell)
        group.add(pid)
        with open(told) as answer:
            said = answer.read()
    if said == READY:
        for number in setup["sockets"]:
            os.close(number)
    os.waitpid(pid, 0)
    return None if said == READY else said or "it ended without a word"


def _become_zygote(
    level: int, setup: dict[str, Any], canary: selftest.Canary, notes: Sequence[str], tell: int
) -> NoReturn:
    try:
        syscalls.die_with_parent()
        walls = Walls(level)
        walls.enter()
        _load_libraries(setup["libraries"], setup["warm"])
        for name in COMMON if level == LIMITED else ():
            importlib.import_module(name)
        walls.prepare()
        gc.collect()
        gc.freeze()
        if level > NONE:
            _test(walls, canary)
    except Exception as error:
        os.write(tell, f"{type(error).__name__}: {error}"[:2000].encode())
        os._exit(1)
    isolation = {"level": level, "words": WORDS[level], "reasons": [*notes, *walls.missing]}
    lanes = [socket.socket(fileno=number) for number in setup["sockets"]]
    for lane in lanes:
        lane.sendall(json.dumps({"event": "ready", "isolation": isolation}).encode())
    os.write(tell, READY.encode())
    os.close(tell)
    _Zygote(lanes, walls).serve()
    os._exit(0)


def _test(walls: Walls, canary: selftest.Canary) -> None:
    """Send a worker out to break out. Raises OSError when it does, or does not come back."""
    zygote = os.getpid()
    readings, report = os.pipe()
    walls.before_fork()
    pid = os.fork()
    if pid == 0:

        def report_breaches() -> None:
            found = selftest.breaches(canary, zygote, walls.level)
            os.write(ANSWERS, f"a test worker could {', '.join(found)}".encode() if found else PASSED)

        _become_worker([os.open(os.devnull, os.O_RDONLY), report, report], TEST_LIMITS, walls, report_breaches)
    os.close(report)
    answer = os.read(readings, 65536) if select.select([readings], [], [], TEST_SECONDS)[0] else b""
    os.close(readings)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    if answer != PASSED:
        raise OSError(answer.decode(errors="replace") or "the test worker did not report")


def _load_libraries(libraries: list[str], warm: bool) -> None:
    if "numpy" in libraries:
        import numpy

        numpy.random.default_rng(0)
    if "torch" in libraries:
        import torch

        torch.set_num_threads(1)
        if warm:  # touch what a worker would otherwise import or build after every fork
            layer = torch.nn.Linear(2, 2)
            x = torch.ones(1, 2, 2, requires_grad=True)
            torch.softmax(layer(x) @ layer(x).transpose(-2, -1), -1).backward(torch.ones(1, 2, 2))


class _Zygote:
    def __init__(self, lanes: list[socket.socket], walls: Walls) -> None:
        self.walls = walls
        self.poller = select.poll()
        self.lanes = {lane.fileno(): lane for lane in lanes}
        self.workers: dict[int, tuple[int, socket.socket]] = {}
        for number in self.lanes:
            self.poller.register(number, select.POLLIN)

    def serve(self) -> None:
        while self.lanes:
            for number, _ in self.poller.poll():
                if number in self.lanes:
                    self._request(self.lanes[number])
                else:
                    self._ended(number)

    def _request(self, lane: socket.socket) -> None:
        message, descriptors, _, _ = socket.recv_fds(lane, 65536, 3)
        if not message:
            self.poller.unregister(lane)
            del self.lanes[lane.fileno()]
            lane.close()
            return
        self.walls.before_fork()
        pid = os.fork()
        if pid == 0:
            _become_worker(descriptors, json.loads(message), self.walls, _answer)
        for descriptor in descriptors:
            os.close(descriptor)
        handle = os.pidfd_open(pid)
        self.workers[handle] = (pid, lane)
        self.poller.register(handle, select.POLLIN)
        socket.send_fds(lane, [json.dumps({"event": "forked", "pid": pid}).encode()], [handle])

    def _ended(self, handle: int) -> None:
        pid, lane = self.workers.pop(handle)
        self.poller.unregister(handle)
        os.close(handle)
        _, status, usage = os.wait4(pid, 0)
        event: dict[str, Any] = {"event": "ended", "pid": pid, "status": status}
        event["cpu"] = usage.ru_utime + usage.ru_stime
        try:
            lane.sendall(json.dumps(event).encode())
        except OSError:
            pass  # the grader has gone; so will we, at the next poll


def _become_worker(
    descriptors: Sequence[int], limits: dict[str, int], walls: Walls, work: Callable[[], None]
) -> NoReturn:
    """In the fork: keep only the three pipes, put up the walls, do the work."""
    code = 99
    try:
        high = [os.dup2(number, 200 + i) for i, number in enumerate((*descriptors, os.open(os.devnull, os.O_RDONLY)))]
        questions, answers, prints, nothing = high
        for source, target in ((nothing, 0), (prints, 1), (prints, 2), (questions, QUESTIONS), (answers, ANSWERS)):
            os.dup2(source, target)
        os.chdir("/")
        _forget_engine()
        walls.confine(limits)
        work()
        code = 0
    except Exception as error:
        os.write(2, f"{type(error).__name__}: {error}".encode())  # read when the walls do not stand
    finally:
        os._exit(code)


def _answer() -> None:
    os.write(ANSWERS, worker.CONFINED)
    worker.serve(QUESTIONS, ANSWERS)


def _forget_engine() -> None:
    """Take the engine's modules out of a learner's reach by name. They hold no secret; they are just not theirs."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "autograder"]:
        del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")
