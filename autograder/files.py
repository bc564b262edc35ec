"""Files that are written whole or not at all, and locks on them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

#: Windows keeps others from reading what is locked, so a byte is locked that no file has.
BEYOND = 1 << 40


def write_whole(path: Path, pieces: Iterable[bytes], *, lasting: bool = True) -> None:
    """Write the file; an earlier one stays until the new one is on the disk. Raises OSError and what `pieces` does.

    What can be made again need not be `lasting`: then a power cut may undo it, and nobody waits for the disk. An
    OSError names the file, since nobody knows its draft.
    """
    draft = path.with_name(f".{path.name}-{os.getpid()}.part")
    try:
        with open(draft, "wb") as file:
            file.writelines(pieces)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        if str(error.filename) == str(draft):
            error.filename = str(path)
        raise
    finally:
        draft.unlink(missing_ok=True)


def lock(handle: int, *, wait: bool) -> None:
    """Lock the file that is open as `handle` until it is closed; the system does that when a process dies.

    Raises OSError where another process has it and nobody is to wait, and where the file system knows no locks.
    """
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    elif sys.platform == "win32":
        import msvcrt

        place = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, place, os.SEEK_SET)
