"""The zygote: imports the libraries once, then forks a worker for every request. Holds no secret, runs no learner byte.

It listens on control sockets, one for each lane of the grader. A request carries the limits as JSON and three
descriptors: where the worker reads questions, writes answers and prints. The reply carries the worker's pidfd; when the
worker ends, its status and processor time follow on the same socket.
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
import tempfile
import types
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from autograder.sandbox import codepages, memory, selftest, worker
from autograder.sandbox.isolation import LIMITED
from autograder.sandbox.rehearsal import rehearse
from autograder.sandbox.walls import Walls

QUESTIONS, ANSWERS = 3, 4
#: What the self-test may use; it needs next to nothing.
TEST_LIMITS = {"cpu_seconds": 4, "memory_mb": 256}
TEST_SECONDS = 30
PASSED = b"passed"
#: Loaded beforehand where a worker can open no file: what learners import, and what Python imports late by itself.
COMMON = (
    "abc", "array", "bisect", "cmath", "collections", "copy", "dataclasses", "datetime", "decimal", "doctest",
    "encodings.ascii", "encodings.cp1252", "encodings.cp437", "encodings.idna", "encodings.latin_1",
    "encodings.punycode", "encodings.utf_16", "encodings.utf_8_sig", "enum", "fractions", "functools", "heapq",
    "inspect", "io", "itertools", "json", "math", "numbers", "operator", "pathlib", "pdb", "pprint", "random", "re",
    "statistics", "string", "struct", "textwrap", "time", "traceback", "types", "typing", "unittest", "warnings",
    "zipfile", "zoneinfo",
)  # fmt: skip
#: The same of the libraries: parts that are there once somebody asks for them, and what the printing, saving and
#: comparing of arrays, a device in a `with` statement, an optimizer or a `backward(gradient)` imports at first use.
LATE = {
    "numpy": (
        "numpy.char", "numpy.fft", "numpy.ma", "numpy.polynomial", "numpy.random", "numpy.rec", "numpy.strings",
        "numpy.testing",
    ),
    "torch": (
        "torch._decomp.decompositions_for_jvp", "torch._inductor.config", "torch._subclasses.schema_check_mode",
        "torch.distributed.tensor", "torch.fx.experimental.symbolic_shapes", "torch.nn.attention.flex_attention",
        "torch.utils._device", "torch.utils.serialization.config",
    ),
}  # fmt: skip
#: From so many workers on, moving their code costs less than it saves.
MANY = 100
#: New objects between two searches for garbage. Reading one source makes thousands, and Python searches after 700.
FEW_COLLECTIONS = 10_000


def prepare(level: int, libraries: Sequence[str], *, forks: int, canary: selftest.Canary | None) -> Walls:
    """Become a zygote behind the walls of one level; with a canary, see that a worker there cannot get out.

    Raises OSError when the level cannot be had, and whatever importing the libraries raises. This process is then of no
    further use: walls cannot be taken down again.
    """
    walls = Walls(level)
    walls.enter()
    gc.disable()  # nothing made from here on is garbage
    _load_libraries(libraries)
    if level == LIMITED:
        for name in (*COMMON, *(late for library in libraries for late in LATE[library])):
            with contextlib.suppress(ImportError):  # not every version of a library has them all
                importlib.import_module(name)
    if forks >= MANY:
        codepages.forget(walls.proc)
    if forks > 1 or level == LIMITED:  # there a worker cannot open what is read at first use
        rehearse(libraries)
    _forget_engine()
    gc.freeze()
    if forks > 1:
        memory.prepare_for_forks(walls.proc)
    if forks >= MANY:
        codepages.hold(walls.proc)
    walls.prepare()
    gc.enable()
    gc.set_threshold(FEW_COLLECTIONS)
    if canary:
        _test(walls, canary)
    return walls


def serve(walls: Walls, sockets: Sequence[int]) -> None:
    """Fork workers until every control socket is closed."""
    _Zygote([socket.socket(fileno=number) for number in sockets], walls).serve()


def _test(walls: Walls, canary: selftest.Canary) -> None:
    """Send a worker out to break out. Raises OSError when it does, or does not come back."""
    zygote = os.getpid()
    readings, report = os.pipe()
    walls.before_fork()
    pid = memory.fork()
    if pid == 0:

        def break_out() -> None:
            found = selftest.breaches(canary, zygote, walls.level)
            os.write(ANSWERS, f"a test worker could {', '.join(found)}".encode() if found else PASSED)

        nothing = os.open(os.devnull, os.O_RDONLY)
        _become_worker([nothing, report, report, nothing], TEST_LIMITS, walls, break_out)
    os.close(report)
    answer = os.read(readings, 65536) if select.select([readings], [], [], TEST_SECONDS)[0] else b""
    os.close(readings)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    if answer != PASSED:
        raise OSError(answer.decode(errors="replace") or "the test worker did not report")


def _load_libraries(libraries: Sequence[str]) -> None:
    tempfile.tempdir = "/tmp"  # a worker may not try out by writing which folder it is
    if "numpy" in libraries:
        import numpy

        numpy.random.default_rng(0)
    if "torch" in libraries:
        import torch

        torch.set_num_threads(1)


class _Zygote:
    def __init__(self, lanes: list[socket.socket], walls: Walls) -> None:
        self.walls = walls
        self.nothing = os.open(os.devnull, os.O_RDONLY)
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
        try:
            self.walls.before_fork()
            pid = memory.fork()
        except OSError as error:  # a busy machine; the grader may ask again
            pid = None
            lane.sendall(json.dumps({"event": "refused", "reason": str(error)}).encode())
        if pid == 0:
            _become_worker([*descriptors, self.nothing], json.loads(message), self.walls, _answer)
        for descriptor in descriptors:
            os.close(descriptor)
        if pid:
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
        with contextlib.suppress(OSError):  # the grader may have gone; so will we, at the next poll
            lane.sendall(json.dumps(event).encode())


def _become_worker(
    descriptors: Sequence[int], limits: dict[str, int], walls: Walls, work: Callable[[], None]
) -> NoReturn:
    """In the fork: keep only the three pipes and what holds nothing to read, put up the walls, do the work."""
    code = 99
    try:
        above = max(ANSWERS, *descriptors) + 1  # where none of them is overwritten by another one
        questions, answers, prints, nothing = [os.dup2(number, above + i) for i, number in enumerate(descriptors)]
        for source, target in ((nothing, 0), (prints, 1), (prints, 2), (questions, QUESTIONS), (answers, ANSWERS)):
            os.dup2(source, target)
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
    """Take the engine's modules out of a learner's reach by name. They hold no secret; they are just not theirs.

    Done once and not in each worker: passing over the names of all modules copies a page for most of them.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "autograder"]:
        del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")
