"""System calls that Python has no function for, through ctypes, and their numbers on the machines we know.

Linux only; importing is harmless elsewhere. Every function raises OSError with the call's name when the kernel refuses.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from functools import cache
from typing import Any, NamedTuple

NEW_MOUNT, NEW_UTS, NEW_IPC = 0x00020000, 0x04000000, 0x08000000
NEW_USER, NEW_PID, NEW_NET = 0x10000000, 0x20000000, 0x40000000

NO_SUID, NO_DEVICES, BIND, RECURSIVE, PRIVATE = 2, 4, 0x1000, 0x4000, 0x40000
READ_ONLY = 1
_DETACH = 2
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000

_SET_DEATH_SIGNAL, _SET_DUMPABLE, _DROP_FROM_BOUND, _SET_NO_NEW_PRIVILEGES = 1, 4, 24, 38
_CAPABILITY_VERSION_3 = 0x20080522
CAP_SYS_ADMIN = 21

_libc = ctypes.CDLL(None, use_errno=True)


class Machine(NamedTuple):
    """A processor family: how the audit subsystem calls it, and the numbers of its system calls."""

    audit: int
    numbers: dict[str, int]


#: name: (x86_64, aarch64); None where the machine has no such call.
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "access": (21, None), "brk": (12, 214), "capset": (126, 91), "clock_getres": (229, 114),
    "clock_gettime": (228, 113), "clock_nanosleep": (230, 115), "clone": (56, 220), "clone3": (435, 435),
    "close": (3, 57), "dup": (32, 23), "exit": (60, 93), "exit_group": (231, 94), "faccessat": (269, 48),
    "faccessat2": (439, 439), "fcntl": (72, 25), "fork": (57, None), "fstat": (5, 80), "futex": (202, 98),
    "get_robust_list": (274, 100), "getcpu": (309, 168), "getcwd": (79, 17), "getdents64": (217, 61),
    "getegid": (108, 177), "geteuid": (107, 175), "getgid": (104, 176), "getpid": (39, 172), "getppid": (110, 173),
    "getrandom": (318, 278), "getrlimit": (97, 163), "getrusage": (98, 165), "gettid": (186, 178),
    "gettimeofday": (96, 169), "getuid": (102, 174), "ioctl": (16, 29), "landlock_add_rule": (445, 445),
    "landlock_create_ruleset": (444, 444), "landlock_restrict_self": (446, 446), "lseek": (8, 62), "lstat": (6, None),
    "madvise": (28, 233), "membarrier": (324, 283), "mmap": (9, 222), "mount_setattr": (442, 442),
    "mprotect": (10, 226), "mremap": (25, 216), "munmap": (11, 215), "nanosleep": (35, 101),
    "newfstatat": (262, 79), "open": (2, None), "openat": (257, 56), "pivot_root": (155, 41), "poll": (7, None),
    "ppoll": (271, 73), "prctl": (157, 167), "pread64": (17, 67), "prlimit64": (302, 261), "pselect6": (270, 72),
    "read": (0, 63), "readlink": (89, None), "readlinkat": (267, 78), "readv": (19, 65), "restart_syscall": (219, 128),
    "rseq": (334, 293), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_yield": (24, 124), "select": (23, None), "set_robust_list": (273, 99), "sigaltstack": (131, 132),
    "stat": (4, None), "statx": (332, 291), "sysinfo": (99, 179), "tgkill": (234, 131), "time": (201, None),
    "times": (100, 153), "uname": (63, 160), "vfork": (58, None), "write": (1, 64), "writev": (20, 66),
}  # fmt: skip
MACHINES = {
    name: Machine(audit, {call: n for call, row in _NUMBERS.items() if (n := row[column]) is not None})
    for column, (name, audit) in enumerate({"x86_64": 0xC000003E, "aarch64": 0xC00000B7}.items())
}


@cache
def machine() -> Machine:
    """The machine this process runs on. Raises OSError where its system calls are not known here."""
    name = os.uname().machine
    if os.uname().sysname != "Linux" or name not in MACHINES or ctypes.sizeof(ctypes.c_void_p) != 8:
        raise OSError(f"the system calls of {os.uname().sysname} on {name} are not known here")
    return MACHINES[name]


def call(name: str, *arguments: Any) -> int:
    """Any system call by name; integers are passed as longs."""
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    _libc.syscall.restype = ctypes.c_long
    return _checked(name, _libc.syscall(ctypes.c_long(machine().numbers[name]), *wide))


def unshare(namespaces: int) -> None:
    """Leave the namespaces named by the flags for new ones."""
    _checked("unshare", _libc.unshare(namespaces))


def enter_namespace(descriptor: int, kind: int) -> None:
    """Enter the namespace behind a descriptor; for processes it concerns the next forks."""
    _checked("setns", _libc.setns(descriptor, kind))


def set_host_name(name: bytes) -> None:
    """Name the machine as seen from this namespace."""
    _checked("sethostname", _libc.sethostname(name, ctypes.c_size_t(len(name))))


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """Mount a file system, or bind a path to another place, or change how a mount spreads."""
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind, options)]
    _checked(f"mount on {target}", _libc.mount(*texts[:3], ctypes.c_ulong(flags), texts[3]))


def set_mount_flags(target: str, flags: int, *, recursive: bool) -> None:
    """Add flags to a mount and, when asked, to every mount below it (Linux 5.12)."""
    wanted = struct.pack("4Q", flags, 0, 0, 0)
    how = _AT_RECURSIVE if recursive else 0
    call("mount_setattr", _AT_FDCWD, ctypes.c_char_p(os.fsencode(target)), how, ctypes.c_char_p(wanted), len(wanted))


def make_root(directory: str) -> None:
    """Make a mounted directory the root of this mount namespace and let go of the old root."""
    os.chdir(directory)
    call("pivot_root", ctypes.c_char_p(b"."), ctypes.c_char_p(b"."))
    _checked("umount", _libc.umount2(b".", _DETACH))
    os.chdir("/")


def die_with_parent() -> None:
    """Be killed when the parent ends, where the system has that. Changing the user cancels it."""
    if sys.platform == "linux":
        _prctl("PR_SET_PDEATHSIG", _SET_DEATH_SIGNAL, 9)


def set_dumpable(allowed: bool) -> None:
    """Whether other processes of the same user may trace this one and look into its memory."""
    _prctl("PR_SET_DUMPABLE", _SET_DUMPABLE, int(allowed))


def refuse_new_privileges() -> None:
    """Gain nothing from any program run from here on. Landlock and seccomp ask for it."""
    _prctl("PR_SET_NO_NEW_PRIVS", _SET_NO_NEW_PRIVILEGES, 1)


def bound_no_capabilities() -> None:
    """Empty the bounding set, where we may: whoever lacks CAP_SETPCAP can gain none with NO_NEW_PRIVS anyway."""
    for capability in range(64):
        if _libc.prctl(_DROP_FROM_BOUND, ctypes.c_ulong(capability), 0, 0, 0) < 0:
            return


def keep_capabilities(*capabilities: int) -> None:
    """Give up every capability but these, for good."""
    kept = sum(1 << capability for capability in capabilities)
    header = ctypes.c_char_p(struct.pack("Ii", _CAPABILITY_VERSION_3, 0))
    low, high = kept & 0xFFFFFFFF, kept >> 32
    call("capset", header, ctypes.c_char_p(struct.pack("6I", low, low, 0, high, high, 0)))


def install_filter(program: bytes) -> None:
    """Put a seccomp filter on the calling thread. Needs NO_NEW_PRIVS."""
    set_seccomp, mode_filter = 22, 2
    head = struct.pack("HxxxxxxP", len(program) // 8, _address(program))
    _prctl("PR_SET_SECCOMP", set_seccomp, mode_filter, _address(head))


def _address(data: bytes) -> int:
    """Where these bytes lie; a buffer of ctypes would need a class of its length, which takes long to make."""
    return ctypes.c_void_p.from_buffer(ctypes.c_char_p(data)).value or 0


def _prctl(name: str, option: int, *arguments: int) -> None:
    wide = [ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)[:4]]
    _checked(name, _libc.prctl(option, *wide))


def _checked(what: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
