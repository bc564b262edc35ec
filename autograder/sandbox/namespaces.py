"""Namespaces: a zygote's own small world, with a read-only view of the libraries and nothing else in it.

In this world there is no network, no other process, no host name and no file beyond the view. An ordinary user enters
it through a user namespace. Root builds the view first, so that libraries under a closed home folder can be shown, then
becomes an unprivileged user of a user namespace.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from typing import NoReturn

from autograder.sandbox import syscalls
from autograder.sandbox.paths import DEVICES

_OUTSIDE = 65534  # what root's workers are to the rest of the machine
_INSIDE = 1000
_ROOMS = syscalls.NEW_MOUNT | syscalls.NEW_NET | syscalls.NEW_IPC | syscalls.NEW_UTS
#: The view is built over this folder: it always exists and no library lies in it.
_SITE = "/proc"


def enter(readable: Iterable[str], proc: int) -> int:
    """Enter namespaces of one's own. Returns a descriptor of the process namespace, whose first process goes on.

    ``proc`` is an open /proc, which the view lacks. The calling process stays outside and waits; the caller goes on in
    a fork. Raises OSError when the kernel refuses; this process is then of no further use.
    """
    if os.getuid() == 0:
        mapper = _Mapper(proc)
        _enter_rooms(readable)
        os.setgroups([])
        syscalls.unshare(syscalls.NEW_USER)
        mapper.map()
        os.setresgid(_INSIDE, _INSIDE, _INSIDE)
        os.setresuid(_INSIDE, _INSIDE, _INSIDE)
        syscalls.set_dumpable(True)  # changing the user closed our own entries in /proc to us
    else:
        outside = os.getuid(), os.getgid()
        syscalls.unshare(syscalls.NEW_USER)
        _write_maps(proc, "self", *outside)
        _enter_rooms(readable)
    syscalls.die_with_parent()  # again: changing the user cleared it
    syscalls.unshare(syscalls.NEW_PID)
    if first := os.fork():
        _wait(first)
    syscalls.die_with_parent()
    return os.open("self/ns/pid", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)


def next_fork_is_first(own: int) -> None:
    """Give the next fork a process namespace of its own, below this zygote's."""
    syscalls.enter_namespace(own, syscalls.NEW_PID)
    syscalls.unshare(syscalls.NEW_PID)


def _wait(pid: int) -> NoReturn:
    os.closerange(3, 4096)
    _, status = os.waitpid(pid, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


class _Mapper:
    """A helper left outside: it tells the kernel who this process is in the user namespace it is about to enter."""

    def __init__(self, proc: int) -> None:
        process = str(os.getpid())
        told, self._tell = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            code = 1
            try:
                os.close(self._tell)
                if os.read(told, 1):
                    _write_maps(proc, process, _OUTSIDE, _OUTSIDE)
                    code = 0
            finally:
                os._exit(code)
        os.close(told)

    def map(self) -> None:
        os.write(self._tell, b"+")
        os.close(self._tell)
        if os.waitpid(self._pid, 0)[1]:
            raise OSError(errno.EPERM, "the user could not be mapped")


def _write_maps(proc: int, process: str, user: int, group: int) -> None:
    for name, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{_INSIDE} {user} 1"),
        ("gid_map", f"{_INSIDE} {group} 1"),
    ):
        target = os.open(f"{process}/{name}", os.O_WRONLY | os.O_CLOEXEC, dir_fd=proc)
        os.write(target, line.encode())
        os.close(target)


def _enter_rooms(readable: Iterable[str]) -> None:
    syscalls.unshare(_ROOMS)
    syscalls.set_host_name(b"worker")
    _build_view(readable)


def _build_view(readable: Iterable[str]) -> None:
    """Make a root folder that holds the readable paths, under their names and read-only, and three harmless devices."""
    with open("/proc/cpuinfo", "rb") as source:
        processor = source.read()  # the view has no other part of /proc
    syscalls.mount(None, "/", None, syscalls.RECURSIVE | syscalls.PRIVATE)
    syscalls.mount("tmpfs", _SITE, "tmpfs", syscalls.NO_SUID | syscalls.NO_DEVICES, "size=1m,mode=755")
    for path in readable:
        _show(path, syscalls.READ_ONLY | syscalls.NO_SUID | syscalls.NO_DEVICES)
    for path in DEVICES:
        _show(path, syscalls.READ_ONLY | syscalls.NO_SUID)
    os.mkdir(f"{_SITE}/proc")
    with open(f"{_SITE}/proc/cpuinfo", "wb") as target:
        target.write(processor)
    syscalls.set_mount_flags(_SITE, syscalls.READ_ONLY, recursive=False)
    syscalls.make_root(_SITE)


def _show(path: str, flags: int) -> None:
    target = f"{_SITE}{path}"
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o444))
    syscalls.mount(path, target, None, syscalls.BIND | syscalls.RECURSIVE)
    syscalls.set_mount_flags(target, flags, recursive=True)
