"""The walls around a worker: what it may use, set by the kernel and not by the worker's goodwill.

So far: limits on memory, files, processes and processor time. A worker keeps the user's own view of files and network;
`docs/security.md` says what follows from that.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Mapping

MEGABYTE = 1 << 20
#: Address space beyond the zygote's own: threads and allocators reserve more than they use.
ADDRESS_SPARE_MB = 448


def confine(limits: Mapping[str, int]) -> None:
    """Give up, for good, what this process may not use. Called in the worker before it reads a byte."""
    size_kb, data_kb = _memory_kb()
    seconds = limits["cpu_seconds"]
    memory = limits["memory_mb"] * MEGABYTE
    bounds = {
        resource.RLIMIT_CPU: (seconds, seconds + 1),
        resource.RLIMIT_DATA: (data_kb * 1024 + memory,) * 2,
        resource.RLIMIT_AS: (size_kb * 1024 + memory + ADDRESS_SPARE_MB * MEGABYTE,) * 2,
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_NOFILE: (64, 64),
        resource.RLIMIT_CORE: (0, 0),
    }
    for which, bound in bounds.items():
        _, hard = resource.getrlimit(which)
        most = bound[1] if hard == resource.RLIM_INFINITY else min(bound[1], hard)
        resource.setrlimit(which, (min(bound[0], most), most))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL if number != signal.SIGXFSZ else signal.SIG_IGN)
    os.umask(0o077)


def _memory_kb() -> tuple[int, int]:
    """Address space and data size of this process in kB, as the kernel counts them against the limits."""
    found = {"VmSize": 0, "VmData": 0}
    with open("/proc/self/status") as status:
        for line in status:
            name, _, value = line.partition(":")
            if name in found:
                found[name] = int(value.split()[0])
    return found["VmSize"], found["VmData"]
