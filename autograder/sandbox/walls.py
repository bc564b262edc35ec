"""The walls around a worker: what is put up at which level of isolation, and in which order.

Part of it is done once by the zygote and handed down to its forks; the rest by each worker before it reads a byte of
the learner's. The kernel holds a worker to all of it, not the worker's goodwill. `docs/security.md` says what follows.
"""

from __future__ import annotations

import fcntl
import os
import resource
import sys
from collections.abc import Mapping

from autograder.sandbox import landlock, namespaces, paths, seccomp, syscalls
from autograder.sandbox.isolation import FULL, GOOD, LIMITED, NONE

MEGABYTE = 1 << 20
#: Address space beyond the zygote's own: threads and allocators reserve more than they use.
ADDRESS_SPARE_MB = 448
#: Descriptors a worker keeps: nothing to read, what it prints (twice), questions, answers.
KEPT_DESCRIPTORS = 5


class Walls:
    """The walls of one zygote at one level. Call `enter`, `prepare`, then for each fork `confine` in the worker."""

    def __init__(self, level: int) -> None:
        self.level = level
        self.missing: tuple[str, ...] = ()
        self._readable = paths.readable() if level >= GOOD else []
        self.proc = os.open("/proc", os.O_PATH | os.O_CLOEXEC) if os.path.isdir("/proc/self") else None
        self._own_processes: int | None = None
        self._rules: int | None = None
        self._filter = b""
        self._memory = (0, 0)

    def enter(self) -> None:
        """Before the libraries are loaded. Goes on in a fork at the highest level; raises OSError where it cannot."""
        if self.level >= LIMITED:
            self._filter = seccomp.program(syscalls.machine(), files=self.level >= GOOD)
        if self.level == GOOD:
            landlock.version()
        if self.level == FULL:
            assert self.proc is not None
            self._own_processes = namespaces.enter(self._readable, self.proc)

    def prepare(self) -> None:
        """After the libraries are loaded: what every worker needs and need not make itself."""
        if self.proc is not None:
            self._memory = _memory(self.proc)
            os.close(self.proc)
        os.umask(0o077)
        os.chdir("/")
        if self.level == NONE:
            return
        sys.path[:] = [entry for entry in sys.path if self.level < GOOD or paths.covers(self._readable, entry)]
        if self.level >= GOOD:
            self._prepare_landlock()
        syscalls.bound_no_capabilities()
        syscalls.keep_capabilities(*([syscalls.CAP_SYS_ADMIN] if self.level == FULL else []))
        syscalls.refuse_new_privileges()
        syscalls.set_dumpable(False)

    def _prepare_landlock(self) -> None:
        readable = [*self._readable, *filter(os.path.exists, paths.PROCESSOR)] if self.level == GOOD else ["/"]
        try:
            rules = landlock.ruleset(readable, paths.DEVICES)
            self._rules = fcntl.fcntl(rules, fcntl.F_DUPFD_CLOEXEC, KEPT_DESCRIPTORS)  # where no pipe will be put
            os.close(rules)
        except OSError as error:
            if self.level == GOOD:
                raise
            self.missing += (f"no landlock below the view ({error.strerror})",)

    def before_fork(self) -> None:
        """In the zygote, before each fork."""
        if self._own_processes is not None:
            namespaces.next_fork_is_first(self._own_processes)

    def confine(self, limits: Mapping[str, int]) -> None:
        """In the worker: give up, for good, what it may not use. Raises OSError when a wall does not stand."""
        syscalls.die_with_parent()
        self._set_limits(limits)
        os.setsid()  # a signal to its own group then reaches nobody else
        if self.level == FULL:
            syscalls.keep_capabilities()
        if self._rules is not None:
            landlock.restrict(self._rules)
        os.closerange(KEPT_DESCRIPTORS, 4096)
        if self.level >= LIMITED:
            seccomp.install(self._filter)

    def _set_limits(self, limits: Mapping[str, int]) -> None:
        address_space, data = self._memory
        seconds, memory = limits["cpu_seconds"], limits["memory_mb"] * MEGABYTE
        bounds = {
            resource.RLIMIT_CPU: seconds,  # hard too: the first process of a namespace is spared the soft one's signal
            resource.RLIMIT_DATA: data + memory,
            resource.RLIMIT_AS: address_space + memory + ADDRESS_SPARE_MB * MEGABYTE,
            resource.RLIMIT_FSIZE: 0,
            resource.RLIMIT_NOFILE: 64,
            resource.RLIMIT_NPROC: 0,
            resource.RLIMIT_MEMLOCK: 0,
            resource.RLIMIT_CORE: 0,
        }
        for which, bound in bounds.items():
            _, most = resource.getrlimit(which)
            bound = bound if most == resource.RLIM_INFINITY else min(bound, most)
            resource.setrlimit(which, (bound, bound))


def _memory(proc: int) -> tuple[int, int]:
    """Address space and data size of this process in bytes, as the kernel counts them against the limits."""
    found = {"VmSize": 0, "VmData": 0}
    with open(os.open("self/status", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)) as status:
        for line in status:
            name, _, value = line.partition(":")
            if name in found:
                found[name] = int(value.split()[0]) * 1024
    return found["VmSize"], found["VmData"]
