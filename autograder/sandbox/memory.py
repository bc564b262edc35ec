"""Memory that is cheap to fork: what a zygote does with its own before the first worker is made from it.

Forking copies a page table entry for each of the zygote's 45,000 pages, and ending the worker undoes them all. In huge
pages these are ninety entries, and only those that a worker writes to are taken apart. Fresh memory comes as a huge
page too instead of in hundreds of small faults. Measured when this was written: an empty worker costs 4 ms of processor
time instead of 11, the zygote's share of it 2 ms instead of 5, and four exercises in a worker another 1 ms less for the
fresh memory.

What is left is the copying of every page that a worker writes to, some 6 us each. Python's own work after a fork writes
to 250 of them, hence `fork`. New objects go into the holes that earlier ones left, each in a page of its own, hence
`_fill_holes`. Together they took an empty worker from 650 faults to 430 (4.3 ms to 2.7) and four exercises in a worker
from 2,360 to 1,800.

Copying beforehand what workers are known to write to, with MADV_POPULATE_WRITE, was tried too and saves nothing: it is
the copy of a page that costs, not the fault.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator

HUGE = 2 << 20
#: What malloc keeps at hand, never touched by the zygote: more than most workers need, less than malloc takes as one.
SPARE = 24 << 20
#: Larger blocks are mapped anew for each allocation; no allocator setting can be larger.
MAPPED_FROM = 32 << 20
#: Of one size; there were never more than a few thousand.
MOST_HOLES = 20_000
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
#: What is asked of madvise: let go; huge pages from now on; huge pages at once (Linux 6.1).
DROP, HUGE_FROM_NOW, COLLAPSE = 4, 14, 25

_libc = ctypes.CDLL(None)
_libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.malloc.argtypes, _libc.malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
_libc.free.argtypes = [ctypes.c_void_p]
_fork = ctypes.PyDLL(None, use_errno=True).fork  # holds the interpreter's lock, so that the child has it too
#: Python hands out objects of up to 512 bytes, in steps of 16, from pools of this size; malloc goes on.
_POOL, _LARGEST_POOLED, _LARGEST_SMALL = 16 << 10, 512, 1024
_EMPTY = sys.getsizeof(b"")
_held: list[bytes] = []


def fork() -> int:
    """Like `os.fork`, without what Python does after it: that is for processes with threads, and for random numbers,
    which a worker seeds itself. Raises OSError.
    """
    pid: int = _fork()
    if pid < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return pid


def prepare_for_forks(proc: int | None) -> None:
    """Lay this process's memory out for many forks; `proc` is an open /proc. Where the system lacks a part, it is
    left out: then forks are dearer and nothing else changes.
    """
    _keep_spare()
    _fill_holes()
    for start, end in _writable(proc) if proc is not None else ():
        _libc.madvise(start, end - start, COLLAPSE)  # each call has a price, whatever its length


def _keep_spare() -> None:
    """Give malloc room for what workers allocate, and let the first touch of it bring a huge page."""
    if not hasattr(_libc, "mallopt"):
        return
    _libc.mallopt(_TRIM_THRESHOLD, 1 << 30)
    _libc.mallopt(_MMAP_THRESHOLD, MAPPED_FROM)
    if room := _libc.malloc(SPARE):
        start, end = whole(room, room + SPARE)
        _libc.madvise(start, end - start, HUGE_FROM_NOW)
        _libc.free(room)


def _fill_holes() -> None:
    """Take, and never give back, what is free between objects in use: what comes after lies side by side."""
    for size in range(_EMPTY // 16 * 16 + 16, _LARGEST_POOLED + 1, 16):
        _until_side_by_side(_pooled, size, _POOL // size - 2)
    for size in range(32, _LARGEST_SMALL + 1, 16):
        _until_side_by_side(_small, size, 8)


def _pooled(size: int) -> int:
    """The address of a new Python object of this size."""
    _held.append(bytes(size - _EMPTY))
    return id(_held[-1])


def _small(size: int) -> int:
    """The address of a new block of malloc's, eight bytes of which are its own."""
    return _libc.malloc(size - 8) or 0


def _until_side_by_side(allocate: Callable[[int], int], size: int, wanted: int) -> None:
    """Allocate until so many blocks in a row lay side by side, or for long enough."""
    last = row = 0
    for _ in range(MOST_HOLES):
        at = allocate(size)
        row, last = (row + 1 if at - last == size else 0), at
        if row >= wanted:
            break


def _writable(proc: int) -> Iterator[tuple[int, int]]:
    """The heap and the mappings without a file, as ranges of whole huge pages."""
    with open(os.open("self/maps", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)) as maps:
        lines = maps.read().splitlines()
    for line in lines:
        place, mode, *_, inode, name = [*line.split(), ""][:6]
        start, end = whole(*(int(bound, 16) for bound in place.split("-")))
        if mode == "rw-p" and (name == "[heap]" or (inode == "0" and not name)) and start < end:
            yield start, end


def whole(start: int, end: int) -> tuple[int, int]:
    """The whole huge pages in a range."""
    return -(-start // HUGE) * HUGE, end // HUGE * HUGE
