"""A learner's files: written by one process at a time, and never over an older one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from autograder.files import lock, write_whole


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock that the file at `path` stands for; made if missing. The system frees it when a process dies.

    Some network file systems know no locks: there it goes on without one. Raises OSError where no file can be made.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with contextlib.suppress(OSError):
            lock(handle, wait=True)
        yield
    finally:
        os.close(handle)


def keep_beside(path: Path, content: bytes) -> Path:
    """Write a content of a file beside it, under the first free number; where it lies now. Raises OSError."""
    kept = free_name(path)
    write_whole(kept, [content])
    return kept


def free_name(path: Path) -> Path:
    """The path with the first number from 1 that no file has yet: `a.py.1`, `a.py.2`."""
    number = 1
    while os.path.lexists(numbered := path.with_name(f"{path.name}.{number}")):
        number += 1
    return numbered
