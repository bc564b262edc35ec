"""Run a command and say what it cost. Processor time counts every process the command started and waited for."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Everything the benches make lies here; the peers' environments survive, the rest is made anew.
BUILD = ROOT / "build" / "bench"
BUILD.mkdir(parents=True, exist_ok=True)
#: The same for every tool: one thread, bytecode kept, and neither the user's settings nor the user's caches.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONNOUSERSITE": "1",
    "PYTHONDONTWRITEBYTECODE": "",
    "HOME": str(BUILD / "home"), "XDG_CACHE_HOME": str(BUILD / "cache"), "HEADCOUNT_SECRET": "a secret for the bench",
}  # fmt: skip
#: A command that takes longer than this hangs.
MOST_SECONDS = 3600


class Failed(Exception):
    """Raised when a measured command did not end well; its text is the last line the command printed."""


@dataclass(frozen=True)
class Cost:
    """Seconds: `cpu` is user and system time of all processes, `wall` what a person waits."""

    cpu: float
    wall: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.cpu + other.cpu, self.wall + other.wall)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.cpu - other.cpu, self.wall - other.wall)

    def __truediv__(self, count: float) -> Cost:
        return Cost(self.cpu / count, self.wall / count)


NOTHING = Cost(0.0, 0.0)


def run(
    command: Sequence[str | Path],
    cwd: Path,
    extra: Mapping[str, str] | None = None,
    *,
    fine: Sequence[int] = (0,),
    log: Path = BUILD / "last.log",
) -> Cost:
    """The cost of one command, whose output goes to `log`. Raises Failed when its exit status is not one of `fine`."""
    path = f"{Path(command[0]).parent}{os.pathsep}{os.environ['PATH']}"  # as in an activated environment
    environment = {**os.environ, **ENVIRONMENT, "PATH": path, **(extra or {})}
    with open(log, "wb+") as out:
        begun = time.perf_counter()
        process = subprocess.Popen(
            [str(part) for part in command], cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
            stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        hung = threading.Timer(MOST_SECONDS, os.killpg, (process.pid, signal.SIGKILL))
        hung.start()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        hung.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        printed = out.read().decode("utf-8", "replace").strip().splitlines()
    if process.returncode not in fine:
        raise Failed(f"{Path(command[0]).name}: status {process.returncode}: {(printed or ['it said nothing'])[-1]}")
    return Cost(used.ru_utime + used.ru_stime, wall)
