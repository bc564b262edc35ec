"""The levels of isolation, in words, and what this machine lacks for any of them."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final, NamedTuple

FULL, GOOD, LIMITED, NONE = 3, 2, 1, 0
WORDS: Final = {
    FULL: "full: own namespaces with a read-only view of the libraries, system call filter, limits",
    GOOD: "good: only the libraries can be read (landlock), system call filter, limits",
    LIMITED: "good, with limits: a system call filter that refuses every file, so that late imports fail",
    NONE: "none: limits on time and memory only; the code runs with your rights",
}
#: Of Python, on Linux: what a zygote and its workers are made with.
_NEEDED = (
    (os, "fork"), (os, "pidfd_open"), (os, "pipe2"), (socket, "AF_UNIX"), (socket, "SOCK_SEQPACKET"),
    (socket, "send_fds"),
)  # fmt: skip


class Isolation(NamedTuple):
    """How far a learner's code is shut in on this machine."""

    level: int
    words: str
    reasons: tuple[str, ...]
    """Why it is not a higher level, and what is missing at this one."""


def lacks() -> tuple[str, ...]:
    """What this system lacks to fork workers and shut them in; empty on Linux."""
    return tuple(_lacking())


def _lacking() -> Iterator[str]:
    for module, name in _NEEDED:
        if not hasattr(module, name):
            yield f"no {module.__name__}.{name}"
    for module_name in ("fcntl", "resource"):
        if find_spec(module_name) is None:
            yield f"no {module_name}"
