"""Workers on systems without fork, such as Windows and macOS: a new Python for each, and nothing that shuts it in.

Slower than a zygote, and meant for one's own code: a limit of time is all there is. What is said over the pipes is the
same as everywhere.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import cast

from autograder.course.model import Limits
from autograder.sandbox import paths
from autograder.sandbox.child import Child, Fatal, in_seconds
from autograder.sandbox.isolation import NONE, Isolation
from autograder.sandbox.launch import THREADS, SandboxError, Zygote

WORDS = "none: a limit on time only; the code runs with your rights"
#: Seconds that Python and the libraries may take to start.
START_SECONDS = 120.0
#: Nobody counts a worker's processor time here, so its limit is one of time, with room for a busy machine.
ROOM = 2.0
START = """
import json, sys
setup = json.loads(sys.argv[1])
sys.path = setup["path"]
from autograder.sandbox.spawned import serve
serve(setup["libraries"])
"""


class SpawnedLane(socket.socket):
    """Stands where a zygote's lane stands, and knows what a worker has to load. It is never connected to anything."""

    libraries: Sequence[str] = ()


class Spawning(Zygote):
    """In the place of a zygote where there can be none: nothing runs until a worker is asked for."""

    def __init__(self, lanes: int, libraries: Sequence[str] | None, lacking: Sequence[str]) -> None:
        self.lanes = [cast(socket.socket, SpawnedLane()) for _ in range(lanes)]
        self.load(libraries or ())
        self.isolation = Isolation(NONE, WORDS, tuple(lacking))

    def load(self, libraries: Sequence[str]) -> None:
        """Note what a worker will have to load."""
        for lane in self.lanes:
            cast(SpawnedLane, lane).libraries = libraries

    def wait_ready(self) -> None:
        """There is nothing to wait for."""

    def close(self) -> None:
        """Let go of the lanes; every worker has been ended by whoever asked it."""
        self.hang_up()

    def kill(self) -> None:
        """There is nothing to kill."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


class SpawnedChild(Child):
    """One worker: a process of its own, read by threads, since pipes cannot be waited for together everywhere."""

    def __init__(self, lane: SpawnedLane, limits: Limits) -> None:
        self.limits = replace(limits, wall_seconds=min(limits.wall_seconds, ROOM * limits.cpu_seconds))
        self.cpu, self.kept, self._confined = 0.0, 0, False
        self.ready_made = ()
        self._buffer, self._output = bytearray(), bytearray()
        setup = {"path": paths.imports(), "libraries": list(lane.libraries)}
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", START, json.dumps(setup)], env=os.environ | THREADS, bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._pieces: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._hear, self._overhear)]
        for reader in self._readers:
            reader.start()
        try:
            self._await(1, time.monotonic() + START_SECONDS)
        except Fatal as end:
            self.close()
            last = self._output.decode("utf-8", "replace").strip().splitlines()[-1:] or [end.detail]
            raise SandboxError(f"no worker process could be started: {last[0]}") from None
        self._confined = True
        self._buffer.clear()

    def close(self) -> None:
        """End the worker, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()

    def lost(self) -> float:
        """Not every system tells how long a process has waited for a processor."""
        return 0.0

    def _hear(self) -> None:
        assert self._process.stdout
        while piece := os.read(self._process.stdout.fileno(), 1 << 20):
            self._pieces.put(piece)
        self._pieces.put(b"")

    def _overhear(self) -> None:
        """Keep what is printed up to the cap, and forget the rest, so that printing never blocks a worker."""
        assert self._process.stderr
        while piece := os.read(self._process.stderr.fileno(), 1 << 16):
            self._output += piece[: max(0, self.limits.output_kb * 1024 - len(self._output))]

    def _write(self, data: bytes, deadline: float) -> None:
        assert self._process.stdin
        pipe = self._process.stdin.fileno()

        def push() -> None:
            rest = memoryview(data)
            with contextlib.suppress(OSError):  # its end is told where its answer is waited for
                while rest:
                    rest = rest[os.write(pipe, rest) :]

        writer = threading.Thread(target=push, daemon=True)
        writer.start()
        writer.join(max(0.0, deadline - time.monotonic()))
        if writer.is_alive():
            raise Fatal("timed_out", "it did not read its input")

    def _await(self, count: int, deadline: float) -> None:
        while len(self._buffer) < count:
            try:
                piece = self._pieces.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                said = f"no answer within {in_seconds(self.limits.wall_seconds)}"
                raise Fatal("timed_out" if self._confined else "not_run", said) from None
            if not piece:
                raise self._death()
            self._buffer += piece

    def _read_answers(self) -> bool:
        before = len(self._buffer)
        with contextlib.suppress(queue.Empty):
            while True:
                self._buffer += self._pieces.get_nowait()
        return len(self._buffer) > before

    def _death(self) -> Fatal:
        try:
            status = self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            return Fatal("protocol", "the answer channel was closed by the submission")
        if not self._confined:
            return Fatal("not_run", f"status {status}")
        if status < 0:
            return Fatal("crashed", signal.Signals(-status).name)
        if status > 0xFF:  # Windows tells in such numbers what went wrong
            return Fatal("crashed", f"status {status:#x}")
        return Fatal("exited", f"status {status}")


def serve(libraries: Sequence[str]) -> None:
    """Become a worker: what is printed goes to standard error, and the two pipes belong to questions and answers."""
    from autograder.sandbox import worker

    questions, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        for handle in (questions, answers):
            msvcrt.setmode(handle, os.O_BINARY)
    if "numpy" in libraries:
        import numpy

        numpy.random.default_rng(0)
    if "torch" in libraries:
        import torch

        torch.set_num_threads(1)
    os.write(answers, worker.CONFINED)
    worker.serve(questions, answers)
