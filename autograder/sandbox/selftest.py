"""The self-test of the walls: a worker that tries to get out, before any learner's worker is made.

It holds nothing back that costs nothing: whatever succeeds is a breach, and a level with a breach is not used.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable
from types import TracebackType


class Canary:
    """A folder anybody may read and write, with a file in it: what a worker must not reach. A context manager."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix=f"headcount-canary-{os.getpid()}-")
        os.chmod(self.folder, 0o1777)
        self.file = os.path.join(self.folder, "canary")
        self.written = os.path.join(self.folder, "written")
        with open(self.file, "w") as file:
            file.write("a worker must not read this")
        os.chmod(self.file, 0o644)

    def __enter__(self) -> Canary:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def breaches(canary: Canary, zygote: int, level: int) -> list[str]:
    """What this process managed to do that a worker at this level must not. Call it behind the walls."""
    attempts: dict[str, Callable[[], object]] = {
        "read a file of yours": lambda: _read(canary.file),
        "read a course file": lambda: _read(__file__),
        "write a file": lambda: os.open(canary.written, os.O_CREAT | os.O_WRONLY),
        "open a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "open a local socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
        "signal another process": lambda: os.kill(zygote, 0),
        "signal every process": lambda: os.kill(-1, 0),
        "start a process": _fork,
    }
    if level == 3:
        attempts["see a file of yours"] = lambda: os.stat(canary.file)
        attempts["see a course file"] = lambda: os.stat(__file__)
    found = []
    for what, attempt in attempts.items():
        with contextlib.suppress(OSError):
            attempt()
            found.append(what)
    if level >= 2:
        try:
            _read(contextlib.__file__)
        except OSError as error:
            found.append(f"not even read the standard library ({error.strerror})")
    with contextlib.suppress(OSError):
        os.execv("/bin/true", ["true"])  # on success nobody is left to report, which fails the test as well
    return found


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(1)


def _fork() -> None:
    if os.fork() == 0:
        os.kill(os.getpid(), signal.SIGKILL)
        os._exit(0)
