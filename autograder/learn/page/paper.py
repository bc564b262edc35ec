"""A learner's file, as the page shows and saves it: the very file in exercises/, never overwritten unseen."""

from __future__ import annotations

import codecs
import threading
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from autograder.course.errors import display
from autograder.files import write_whole
from autograder.learn.files import free_name
from autograder.submissions.errors import IntakeError
from autograder.submissions.own import read_source
from autograder.submissions.text import UnreadableSource, decode

MISSING = "missing"
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class Paper:
    """What lies on the disk. `version` tells contents apart; `trouble` says in a sentence why there is no text."""

    text: str
    version: str
    trouble: str = ""


class Elsewhere(Exception):
    """Raised when the file is not what it was when the page was opened; holds what it is now."""

    def __init__(self, now: Paper) -> None:
        self.now = now


def look(path: Path) -> Paper:
    """The file as it is now."""
    name = display(path)
    if not path.exists():
        return Paper("", MISSING, f"{name} is not there.")
    try:
        source = read_source(path, name)
        return Paper(lines(decode(source)[0]), _version(source))
    except IntakeError as problem:
        return Paper("", "unreadable", f"{problem}.")
    except UnreadableSource as problem:
        return Paper("", _version(source), f"{name}: {problem}")


def save(path: Path, text: str, version: str) -> Paper:
    """Write the text over the `version` it was made from.

    Byte order mark and line ends stay as they are. Raises Elsewhere where somebody else has written meanwhile, and
    OSError where it cannot be written.
    """
    with _ONE_AT_A_TIME:
        now, text = look(path), lines(text)
        if now.text == text and not now.trouble:
            return now
        if now.version != version:
            raise Elsewhere(now)
        old = path.read_bytes() if path.exists() else b""
        new = text.replace("\n", "\r\n" if b"\r\n" in old else "\n").encode("utf-8", "replace")
        path.parent.mkdir(exist_ok=True)
        mark = codecs.BOM_UTF8 if old.startswith(codecs.BOM_UTF8) else b""
        write_whole(path.resolve(), [mark, new])
        return Paper(text, _version(mark + new))


def keep(path: Path, text: str) -> str:
    """Keep a text beside the file, under the first free number; the name it got. Raises OSError."""
    with _ONE_AT_A_TIME:
        kept = free_name(path)
        write_whole(kept, [text.encode("utf-8", "replace")])
    return display(kept)


def _version(source: bytes) -> str:
    return sha256(source).hexdigest()[:32]


def lines(text: str) -> str:
    """Browsers send their own line ends, and an editor shows one kind."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
