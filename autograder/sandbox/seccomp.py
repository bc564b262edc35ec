"""The system call filter of a worker: a short list of what it may do, everything else refused by the kernel.

A foreign call numbering (x32, 32-bit) kills at once, since no honest program of ours changes it. A call newer than this
list is answered as unknown, so that the C library falls back to what is listed.
"""

from __future__ import annotations

import errno
import os
import signal
import struct
from typing import Final, TypeAlias

from autograder.sandbox import syscalls
from autograder.sandbox.syscalls import Machine

_Step: TypeAlias = "tuple[int, int, int, int]"  # code, steps to skip if true, if false, operand

_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _AUDIT, _ARGUMENTS = 0, 4, 16  # offsets in what the kernel shows a filter
_X32 = 0x40000000
_FIRST_UNKNOWN = 451

_ALWAYS: Final = (
    "read", "write", "readv", "writev", "pread64", "lseek", "close", "fstat", "dup", "poll", "ppoll", "select",
    "pselect6", "getcwd", "mmap", "munmap", "mremap", "mprotect", "madvise", "brk", "futex", "set_robust_list",
    "get_robust_list", "rseq", "membarrier", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
    "restart_syscall", "exit", "exit_group", "time", "times", "gettimeofday", "clock_gettime", "clock_getres",
    "clock_nanosleep", "nanosleep", "getrandom", "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid",
    "getegid", "uname", "sysinfo", "getrusage", "getrlimit", "getcpu", "sched_yield", "sched_getaffinity",
    "sched_getparam", "sched_getscheduler",
)  # fmt: skip
#: What names a file. Refused as a whole where nothing but this filter stands between a worker and the files.
_BY_PATH: Final = (
    "open", "openat", "access", "faccessat", "faccessat2", "stat", "lstat", "newfstatat", "statx", "readlink",
    "readlinkat", "getdents64",
)  # fmt: skip
#: The answers that make the C library and Python fail in their usual words.
_ANSWERS: Final = {
    "clone": errno.EAGAIN, "fork": errno.EAGAIN, "vfork": errno.EAGAIN, "clone3": errno.ENOSYS, "ioctl": errno.ENOTTY,
}  # fmt: skip
#: Stands in the program for the worker's own process id.
_SELF = 0x5E1F5E1F
#: Calls allowed for some values of some arguments: (offset of the argument, values). Descriptors can be told to signal
#: any process (F_SETOWN), hence the short list of fcntl commands. Signals that stop or kill outright stay out, so that
#: a worker that died of SIGKILL was killed by someone else.
_SIGNALS: Final = tuple(
    int(number) for number in (
        signal.SIGINT, signal.SIGILL, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV, signal.SIGUSR1,
        signal.SIGUSR2, signal.SIGTERM,
    )
)  # fmt: skip
_SOMETIMES: Final[dict[str, tuple[tuple[int, tuple[int, ...]], ...]]] = {
    "fcntl": ((_ARGUMENTS + 8, (0, 1, 2, 3, 4, 1030, 1032)),),  # duplicate, flags, size of a pipe
    "prctl": ((_ARGUMENTS, (15, 16, 0x53564D41)),),  # names of threads and of memory areas
    "prlimit64": ((_ARGUMENTS, (0,)), (_ARGUMENTS + 16, (0,)), (_ARGUMENTS + 20, (0,))),  # only to read one's own
    "tgkill": (
        (_ARGUMENTS, (_SELF,)),
        (_ARGUMENTS + 16, _SIGNALS),
    ),
}


def program(machine: Machine, *, files: bool) -> bytes:
    """The filter as the kernel reads it. With ``files`` False, every call that names a file is refused as well."""
    steps: list[_Step] = [(_LOAD, 0, 0, _AUDIT), (_IF_EQUAL, 1, 0, machine.audit), (_RETURN, 0, 0, _KILL)]
    steps += [(_LOAD, 0, 0, _NUMBER), (_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    answers = dict.fromkeys(_ALWAYS, _ALLOW)
    answers |= dict.fromkeys(_BY_PATH, _ALLOW if files else _REFUSE | errno.EACCES)
    answers |= {name: _REFUSE | number for name, number in _ANSWERS.items()}
    for name, answer in answers.items():
        if name in machine.numbers:
            steps += [(_IF_EQUAL, 0, 1, machine.numbers[name]), (_RETURN, 0, 0, answer)]
    for name, conditions in _SOMETIMES.items():
        steps += _where(machine.numbers[name], conditions)
    steps += [(_IF_AT_LEAST, 0, 1, _FIRST_UNKNOWN), (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)]
    steps += [(_RETURN, 0, 0, _REFUSE | errno.EPERM)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _where(number: int, conditions: tuple[tuple[int, tuple[int, ...]], ...]) -> list[_Step]:
    """Allow one call where each of the arguments has one of its values, refuse it where one has not."""
    body: list[_Step] = []
    for offset, values in conditions:
        body += [(_LOAD, 0, 0, offset)]
        body += [(_IF_EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]
        body += [(_RETURN, 0, 0, _REFUSE | errno.EPERM)]
    body += [(_RETURN, 0, 0, _ALLOW)]
    return [(_IF_EQUAL, 0, len(body), number), *body]


def install(filter_program: bytes) -> None:
    """Put the filter on this process, for good. Needs NO_NEW_PRIVS and a single thread."""
    own = struct.pack("<I", os.getpid())
    syscalls.install_filter(filter_program.replace(struct.pack("<I", _SELF), own))
