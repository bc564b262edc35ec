"""A small store of derived files on this machine. Losing it costs time, never a result, so nothing here raises."""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path

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
    try:
        kept = (folder / name).read_bytes() if folder else b""
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
    except OSError:
        return


def _base() -> Path:
    named = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):
        return Path(named)
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local)
    return Path.home() / ".cache"
