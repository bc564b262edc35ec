"""One control group for a zygote and all its workers, so that together they cannot take the machine down.

Every worker has its own limits; this is the net below them. It needs root and version 1 of the interface.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

_HIERARCHIES = {"memory": "memory.limit_in_bytes", "pids": "pids.max"}
_ROOT = Path("/sys/fs/cgroup")
_PREFIX = "headcount-"
#: Share of the machine's memory, and processes beyond one worker for each lane: the zygote, its keepers and a test.
_SHARE = 0.75
_SPARE = 8


class Group:
    """A group that ends with its last process. Where none can be made, `missing` says why."""

    def __init__(self, lanes: int) -> None:
        memory = int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * _SHARE)
        bounds = {"memory": memory, "pids": lanes + _SPARE}
        self.folders: list[Path] = []
        self.missing = ""
        for folder in _stale():
            _remove(folder)
        try:
            for kind, file in _HIERARCHIES.items():
                folder = _ROOT / kind / f"{_PREFIX}{os.getpid()}"
                folder.mkdir()
                self.folders.append(folder)
                (folder / file).write_text(str(bounds[kind]))
        except OSError as error:
            self._give_up(error)

    def add(self, pid: int) -> None:
        """Count a process, and what it will fork, among the group."""
        try:
            for folder in self.folders:
                (folder / "cgroup.procs").write_text(str(pid))
        except OSError as error:
            self._give_up(error)

    def close(self) -> None:
        """Remove the group, once its last process has ended."""
        while self.folders:
            _remove(self.folders.pop())

    def _give_up(self, error: OSError) -> None:
        self.close()
        self.missing = f"no control group ({error.strerror})"


def _stale() -> Iterator[Path]:
    """Groups whose keeper was killed. Others may be starting: theirs are empty for a moment too."""
    for kind in _HIERARCHIES:
        for folder in (_ROOT / kind).glob(f"{_PREFIX}*"):
            if not Path("/proc", folder.name.removeprefix(_PREFIX)).exists():
                yield folder


def _remove(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()
