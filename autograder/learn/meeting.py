"""Where a command and the worker in the background meet, and how each knows that the other is the same user's.

A socket in a folder that only the user can enter. Both ask the kernel who is at the other end, so that neither the
folder nor its name has to be trusted. A frame is a line of JSON with a `size`, and so many bytes behind it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import stat
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from autograder.sandbox.isolation import lacks

#: Seconds that the worker stays without being asked; 0 turns it off.
SETTING = "HEADCOUNT_BACKGROUND"
STAYS = 600.0
NAME: Final = "check"
#: Linux says of a connected socket whose process it is; elsewhere there is no worker in the background.
PEER = None if lacks() else getattr(socket, "SO_PEERCRED", None)
_MOST = 8_000_000


def stays() -> float:
    """For how many seconds a worker may wait in the background; 0 where there is to be none."""
    if PEER is None:
        return 0.0
    try:
        return max(0.0, float(os.environ.get(SETTING) or STAYS))
    except ValueError:
        return 0.0


def meeting_place() -> Path | None:
    """The user's own folder for the socket, made if need be.

    None where no worker is to stay in the background, and where there is no folder that nobody else can enter.
    """
    for folder in _folders() if stays() else ():
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
        if is_private(folder):
            return folder
    return None


def listened_at() -> Path | None:
    """The socket at which a worker has listened, and perhaps still does; None where none has."""
    folder = meeting_place()
    return folder / NAME if folder and (folder / NAME).exists() else None


def _folders() -> Iterator[Path]:
    """Where the socket may lie, the best place first."""
    named = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(named):
        yield Path(named) / "headcount"
    from tempfile import gettempdir  # late: most users have the other

    yield Path(gettempdir()) / f"headcount-{os.geteuid()}"


def is_private(folder: Path) -> bool:
    """Whether it is a folder of the user that nobody else can enter."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def is_own(connection: socket.socket) -> bool:
    """Whether the process at the other end is the same user's."""
    if PEER is None:
        return False
    _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, PEER, struct.calcsize("3i")))
    return bool(user == os.geteuid())


def send(connection: socket.socket, message: dict[str, Any], data: bytes = b"") -> None:
    """Send one frame. Raises OSError."""
    head = json.dumps(message | {"size": len(data)}).encode()
    connection.sendall(head + b"\n" + data)


def receive(connection: socket.socket) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Frames until the other end hangs up. Raises OSError, and ValueError for what is no frame."""
    with connection.makefile("rb") as file:
        while line := file.readline(_MOST):
            message = json.loads(line)
            size = message["size"] if isinstance(message, dict) else None
            if not isinstance(size, int) or not 0 <= size <= _MOST:
                raise ValueError("no frame")
            data = file.read(size)
            if len(data) < size:
                raise ValueError("half a frame")
            yield message, data
