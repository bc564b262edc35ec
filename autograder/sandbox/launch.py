"""Start a zygote: a clean process with the libraries loaded and the walls of this machine, ready to fork workers."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from types import TracebackType

from autograder.errors import HeadcountError
from autograder.sandbox import paths
from autograder.sandbox.isolation import FULL, Isolation

#: Threads must be off before NumPy or torch is imported: an OpenMP pool does not survive a fork.
THREADS = {"OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
ENVIRONMENT = THREADS | {
    "PATH": os.defpath, "HOME": "/", "USER": "learner", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1",
    "TORCHINDUCTOR_CACHE_DIR": "/dev",  # any folder that is there: torch.optim makes its cache when it is imported
}  # fmt: skip
#: Settings of the numeric libraries that belong to the machine and not to the user.
PASSED_ON = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "LD_LIBRARY_PATH")
#: How many files a lane has open at most, on both sides, and how many all others are together.
LANE_FILES, OTHER_FILES = 9, 100
#: Started without the user's settings and the current folder, but with the very packages the grader itself uses.
START = """
import gc
gc.disable()  # nothing that is loaded is garbage
import json, sys
sys.path = json.loads(sys.argv[1])["path"]
from autograder.sandbox.keeper import main
main()
"""


class SandboxError(HeadcountError):
    """Raised when the machine cannot run workers; never the fault of a submission."""


def _make_room(lanes: int) -> None:
    """See that this process may open as many files as its workers take. Raises HeadcountError where it may not."""
    import resource  # Windows has none, and no zygote

    wanted = LANE_FILES * lanes + OTHER_FILES
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY not in (allowed, most) and allowed < wanted:
        if most < wanted:
            fitting = (most - OTHER_FILES) // LANE_FILES
            raise HeadcountError(
                f"{lanes} workers at a time need {wanted} open files, and this system allows {most}"
                f" (ulimit -Hn): use --jobs {max(1, fitting)}"
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


class Zygote:
    """A running zygote with one lane for each thread of the grader. Use as a context manager.

    ``libraries`` is what it is to load; None where that is not known yet, and said later by `load`. ``highest`` bounds
    the level of isolation; ``isolation`` says what became of it, once the zygote is ready.
    """

    isolation: Isolation
    _tell: int | None = None

    def __init__(self, lanes: int, libraries: Sequence[str] | None, *, forks: int = 1, highest: int = FULL) -> None:
        _make_room(lanes)
        pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(lanes)]
        self.lanes = [ours for ours, _ in pairs]
        theirs = [their for _, their in pairs]
        sockets = [their.fileno() for their in theirs]
        setup = {"sockets": sockets, "forks": forks, "highest": min(highest, FULL), "path": paths.imports()}
        listens, self._tell = os.pipe()
        environment = ENVIRONMENT | {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", START, json.dumps(setup)],
            env=environment, stdin=listens, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            pass_fds=sockets, cwd="/", start_new_session=True,
        )  # fmt: skip
        for their in theirs:
            their.close()
        os.close(listens)
        if libraries is not None:
            self.load(libraries)

    def load(self, libraries: Sequence[str]) -> None:
        """Say what it is to load, once."""
        assert self._tell is not None
        with contextlib.suppress(BrokenPipeError):  # why it has ended is told to whoever waits for it
            os.write(self._tell, json.dumps(list(libraries)).encode())
        self._say_no_more()

    def _say_no_more(self) -> None:
        if self._tell is not None:
            os.close(self._tell)
            self._tell = None

    def wait_ready(self) -> None:
        """Wait until the libraries are loaded. Raises SandboxError with the last line of what went wrong."""
        if hasattr(self, "isolation"):
            return
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
        self.hang_up()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr:
            self._process.stderr.close()

    def hang_up(self) -> None:
        """Let the zygote end by itself, with its workers."""
        self._say_no_more()
        for lane in self.lanes:
            lane.close()

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
