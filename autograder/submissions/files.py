"""Opening files that somebody else put there: never through a link, never waiting on a pipe, never past a limit."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from autograder.submissions.errors import Refusal
from autograder.submissions.member import Limit

# Windows has neither links nor pipes of this kind, and has to be told that the file is not text
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

FOLDER = "a folder"
_KINDS = {
    stat.S_IFREG: "",
    stat.S_IFDIR: FOLDER,
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def kind(mode: int) -> str:
    """What a file of this ``st_mode`` is, for people; empty for a regular file."""
    return _KINDS.get(stat.S_IFMT(mode), "a special file")


def special(origin: str, instead: str) -> Refusal:
    """The reason for refusing ``origin``, which is no regular file."""
    return Refusal(f"{origin} is {instead}, and only ordinary files are opened: put the file itself there")


def unreadable(origin: str, error: OSError) -> Refusal:
    """The reason for refusing ``origin``, which the system would not open."""
    return Refusal(f"{origin} cannot be read ({error.strerror}): check its permissions, or put it there again")


def read(path: Path, origin: str, limit: Limit) -> bytes:
    """The contents of a regular file. Raises Refusal when it cannot be read, is too large or is anything else."""
    try:
        descriptor = os.open(path, _FLAGS)
        try:
            # asked of the open file: the name may have come to mean another one since the folder was listed
            status = os.fstat(descriptor)
            if instead := kind(status.st_mode):
                raise special(origin, instead)
            if status.st_size > limit.size:
                raise limit.refusal(origin)
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(limit.size + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise unreadable(origin, error) from None
    if len(data) > limit.size:
        raise limit.refusal(origin)
    return data
