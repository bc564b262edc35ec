"""A small store of derived files on this machine. Losing it costs time, never a result, so nothing here raises.

What nobody has asked for in a long time is removed when something new is stored: every change of a course makes new
files, and nobody asks for the old ones again.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from hashlib import sha256
from pathlib import Path

#: Seconds: files that were not used for so long are removed, and how exactly the last use is known.
UNUSED, ABOUT = 90 * 86400.0, 86400.0
_DIGEST = sha256().digest_size  # every file starts with the digest of the rest


def cache_dir() -> Path | None:
    """`$XDG_CACHE_HOME/headcount`, else the system's usual place, made if need be; None where none can be written."""
    try:
        folder = _base() / "headcount"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if os.access(folder, os.R_OK | os.W_OK | os.X_OK) else None
    except (OSError, RuntimeError):  # RuntimeError: there is no home folder
        return None


def recall(name: str) -> bytes | None:
    """What was stored under this file name; None where there is nothing or the file is damaged."""
    folder = cache_dir()
    if folder is None:
        return None
    try:
        kept = (folder / name).read_bytes()
        if _age(folder / name) > ABOUT:
            os.utime(folder / name)
    except OSError:
        return None
    digest, data = kept[:_DIGEST], kept[_DIGEST:]
    return data if digest == sha256(data).digest() else None


def stored(name: str) -> bool:
    """Whether there is a file of this name, damaged or not."""
    folder = cache_dir()
    return bool(folder and (folder / name).exists())


def store(name: str, data: bytes) -> None:
    """Keep data under this file name if possible. Readers see the old file or the new one, never a part."""
    folder = cache_dir()
    if folder is None:
        return
    from tempfile import mkstemp

    try:
        handle, draft = mkstemp(prefix=f".{name}.", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(sha256(data).digest() + data)
            os.replace(draft, folder / name)
        except OSError:
            os.unlink(draft)
        _prune(folder)
    except OSError:
        return


def _prune(folder: Path) -> None:
    """Remove the files that were not used for long. Raises OSError where the folder cannot be read."""
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # somebody else was faster, or it is no file
            if _age(path) > UNUSED:
                path.unlink()


def _age(path: Path) -> float:
    """Seconds since it was written or found to be in use."""
    return time.time() - path.lstat().st_mtime


def _base() -> Path:
    named = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):
        return Path(named)
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local)
    return Path.home() / ".cache"
