"""What hostile submissions try, as the bodies of functions that return a list of what they managed to do."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.sandbox import paths, syscalls
from autograder.sandbox.launch import Zygote

#: Each appends to `done` what it managed to do. Signals are number 0, which only asks whether one could be sent.
HOSTILE = {
    "read other files": """
        for path in (canary, engine, "/etc/passwd", "/proc/self/environ", "/proc/self/maps", "/proc/1/environ"):
            attempt_to(lambda: open(path, "rb").read(1), path)
        """,
    "list folders": """
        for path, name in ((canary, "canary"), (engine, "run.py"), ("/etc/passwd", "passwd"), ("/proc/1", "1")):
            attempt_to(lambda: os.listdir(os.path.dirname(path)).index(name), path)
        """,
    "write": """
        library = os.path.dirname(os.__file__)
        for path in (os.path.dirname(canary), "/", "/tmp", "/dev/shm", "/var/tmp", "/run", ".", library):
            attempt_to(lambda: open(f"{path}/headcount-escape", "wb"), path)
            attempt_to(lambda: os.mkdir(f"{path}/headcount-escape"), path)
            attempt_to(lambda: os.symlink("/", f"{path}/headcount-escape"), path)
            attempt_to(lambda: os.mkfifo(f"{path}/headcount-escape"), path)
        attempt_to(lambda: os.chmod(canary, 0o777), "chmod")
        attempt_to(lambda: os.unlink(canary), "unlink")
        attempt_to(lambda: os.rename(canary, canary + "2"), "rename")
        attempt_to(lambda: os.truncate(canary, 0), "truncate")
        """,
    "use the network": """
        import socket
        for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK, socket.AF_PACKET):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
                attempt_to(lambda: socket.socket(family, kind), (family, kind))
        attempt_to(socket.socketpair, "socketpair")
        """,
    "start processes": """
        import threading
        def fork():
            if os.fork() == 0:
                os._exit(0)
        attempt_to(fork, "fork")
        attempt_to(lambda: os.posix_spawn("/bin/true", ["true"], {}), "spawn")
        attempt_to(lambda: os.execv("/bin/true", ["true"]), "exec")
        attempt_to(lambda: os.execv(sys.executable, ["python"]), "exec Python")
        attempt_to(lambda: threading.Thread(target=int).start(), "thread")
        attempt_to(lambda: os.system("true") and 1 / 0, "system")
        """,
    "signal others": """
        import fcntl
        for pid in (0, -1, 1, 2, os.getppid(), zygote):
            if pid != os.getpid():
                attempt_to(lambda: os.kill(pid, 0), pid)
                attempt_to(lambda: kernel("tgkill", pid, pid, 0), ("tgkill", pid))
                attempt_to(lambda: kernel("tkill", pid, 0), ("tkill", pid))
                attempt_to(lambda: os.pidfd_open(pid), ("pidfd", pid))
        attempt_to(lambda: fcntl.fcntl(0, fcntl.F_SETOWN, 1), "signal when input arrives")
        attempt_to(lambda: kernel("tgkill", os.getpid(), os.getpid(), 9), "SIGKILL to itself")
        attempt_to(lambda: kernel("tgkill", os.getpid(), os.getpid(), 19), "SIGSTOP to itself")
        """,
    "look into others": """
        class Part(ctypes.Structure):
            _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
        room = ctypes.create_string_buffer(8)
        here, there = Part(ctypes.addressof(room), 8), Part(id(room), 8)
        for pid in (1, 2, os.getppid(), zygote):
            if pid != os.getpid():
                attempt_to(lambda: checked(libc.ptrace(16, pid, 0, 0)), ("attach", pid))
                attempt_to(lambda: checked(libc.ptrace(0x4206, pid, 0, 0)), ("seize", pid))
                read = lambda: libc.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
                attempt_to(lambda: checked(read()), ("read", pid))
        attempt_to(lambda: checked(libc.ptrace(0, 0, 0, 0)), "be traced")
        """,
    "gain rights": """
        import resource
        for call in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0]), lambda: os.chroot("/"),
                     lambda: os.nice(-1), lambda: os.sched_setaffinity(0, {0}), lambda: os.setsid(),
                     lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9)),
                     lambda: checked(libc.unshare(0x10000000)), lambda: checked(libc.setns(0, 0)),
                     lambda: checked(libc.mount(b"none", b"/", b"tmpfs", 0, None)),
                     lambda: checked(libc.umount2(b"/", 2)), lambda: checked(libc.sethostname(b"a", 1)),
                     lambda: checked(libc.prctl(4, 1, 0, 0, 0)),
                     lambda: checked(libc.prctl(22, 0, 0, 0, 0)), lambda: checked(libc.personality(0))):
            attempt_to(call, call.__code__.co_names)
        """,
    "use the kernel's dark corners": """
        for name in (
            "bpf", "io_uring_setup", "userfaultfd", "perf_event_open", "add_key", "keyctl", "memfd_create",
            "open_by_handle_at", "name_to_handle_at", "quotactl", "shmget", "msgget", "semget", "mq_open",
            "inotify_init1", "fanotify_init", "epoll_create1", "eventfd2", "timer_create", "setitimer",
            "clone3", "process_madvise", "pidfd_getfd", "kcmp", "iopl", "modify_ldt", "vmsplice", "splice",
            "tee", "fsopen", "mount_setattr", "landlock_create_ruleset", "seccomp", "execveat", "openat2",
            "no_such_call"
        ):
            attempt_to(lambda: kernel(name, 0, 0, 0, 0, 0, 0), name)
        """,
    "inherit descriptors": """
        for number in range(5, 512):
            attempt_to(lambda: os.fstat(number), number)
        for number in range(5):
            attempt_to(lambda: os.lseek(number, 0, 0) if number else 1 / 0, ("a file", number))
        """,
}
BEFORE = """
import ctypes, os, sys

libc = ctypes.CDLL(None, use_errno=True)
canary, engine, zygote, numbers = {canary!r}, {engine!r}, {zygote}, {numbers!r}
done = []

def attempt_to(call, what):
    try:
        call()
    except (OSError, RuntimeError, ValueError, ZeroDivisionError):
        return
    done.append(str(what))

def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result

def kernel(name, *arguments):
    if name not in numbers:
        raise OSError("not on this machine")
    return checked(libc.syscall(numbers[name], *arguments))
"""


def _numbers() -> dict[str, int]:
    """Every system call number of this machine, from the C headers; where there are none, those we know."""
    known = dict(syscalls.machine().numbers) | {"no_such_call": 9999}
    for header in ("x86_64-linux-gnu/asm/unistd_64.h", "asm/unistd_64.h", "asm-generic/unistd.h"):
        path = Path("/usr/include", header)
        if path.exists() and ("64.h" in header) == (os.uname().machine == "x86_64"):
            words = [line.split() for line in path.read_text().splitlines() if line.startswith("#define __NR_")]
            known |= {w[1].removeprefix("__NR_"): int(w[2]) for w in words if len(w) == 3 and w[2].isdigit()}
            break
    return known


def before(zygote: Zygote, canary: Path) -> str:
    """The part that every hostile submission starts with."""
    return BEFORE.format(canary=str(canary), engine=paths.__file__, zygote=zygote._process.pid, numbers=_numbers())
