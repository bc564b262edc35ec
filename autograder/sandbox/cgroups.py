"""One control group for a zygote and all its workers, so that together they cannot take the machine down.

Every worker has its own limits; this is the net below them. It needs root and version 1 of the interface.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

_HIERARCHIES = {"memory": "memory.limit_in_bytes", "pids": "pids.max"}
_ROOT = "/sys/fs/cgroup"
_PREFIX = "headcount-"
#: Share of the machine's memory, and processes beyond one worker for each lane: the zygote, its keepers and a test.
_SHARE = 0.75
_SPARE = 8


class Group:
    """A group that ends with its last process. Where none can be made, `missing` says why."""

    def __init__(self, lanes: int) -> None:
        memory = int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * _SHARE)
        bounds = {"memory": memory, "pids": lanes + _SPARE}
        self.folders: list[str] = []
        self.missing = ""
        for folder in _stale():
            _remove(folder)
        try:
            for kind, file in _HIERARCHIES.items():
                folder = f"{_ROOT}/{kind}/{_PREFIX}{os.getpid()}"
                os.mkdir(folder)
                self.folders.append(folder)
                _write(f"{folder}/{file}", bounds[kind])
        except OSError as error:
            self._give_up(error)

    def add(self, pid: int) -> None:
        """Count a process, and what it will fork, among the group."""
        try:
            for folder in self.folders:
                _write(f"{folder}/cgroup.procs", pid)
        except OSError as error:
            self._give_up(error)

    def close(self) -> None:
        """Remove the group, once its last process has ended."""
        while self.folders:
            _remove(self.folders.pop())

    def _give_up(self, error: OSError) -> None:
        self.close()
        self.missing = f"no control group ({error.strerror})"


def _stale() -> Iterator[str]:
    """Groups whose keeper was killed. Others may be starting: theirs are empty for a moment too."""
    for kind in _HIERARCHIES:
        with contextlib.suppress(OSError):
            for name in os.listdir(f"{_ROOT}/{kind}"):
                if name.startswith(_PREFIX) and not os.path.exists(f"/proc/{name.removeprefix(_PREFIX)}"):
                    yield f"{_ROOT}/{kind}/{name}"


def _write(file: str, number: int) -> None:
    with open(file, "w") as written:
        written.write(str(number))


def _remove(folder: str) -> None:
    with contextlib.suppress(OSError):
        os.rmdir(folder)
