"""A learner's file, as the page shows and saves it: the very file in exercises/, never overwritten unseen."""

from __future__ import annotations

import codecs
import threading
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from autograder.course.errors import display
from autograder.files import write_whole
from autograder.learn.files import keep_beside
from autograder.submissions.errors import IntakeError
from autograder.submissions.member import SOURCE
from autograder.submissions.own import read_source
from autograder.submissions.text import UnreadableSource, decode

MISSING = "missing"


@dataclass(frozen=True)
class Paper:
    """What lies on the disk. `version` tells contents apart; `trouble` says in a sentence why there is no text."""

    text: str
    version: str
    trouble: str = ""

    @property
    def unreadable(self) -> bool:
        """Whether something lies there that is no text, and must not be taken for an empty one."""
        return bool(self.trouble) and self.version != MISSING


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
        return Paper(lines(decode(source)[0]), version_of(source))
    except IntakeError as problem:
        return Paper("", "unreadable", f"{problem}.")
    except UnreadableSource as problem:
        return Paper("", version_of(source), f"{name}: {problem}")


class Papers:
    """Writes the files of one page, one at a time, and knows which of its windows wrote each of them last."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self._written: dict[Path, tuple[str, str]] = {}

    def save(self, path: Path, text: str, version: str, window: str) -> Paper:
        """Write the text over the `version` it was made from, or over what the same window wrote a moment ago.

        Byte order mark and line ends stay as they are. Raises Elsewhere where somebody else has written meanwhile,
        IntakeError for what could not be read again, and OSError where it cannot be written.
        """
        with self.turn:
            now, text = look(path), lines(text)
            if now.text == text and not now.trouble:
                return now
            if now.version != version and self._written.get(path) != (now.version, window):
                raise Elsewhere(now)
            old = path.read_bytes() if path.exists() else b""
            mark = codecs.BOM_UTF8 if old.startswith(codecs.BOM_UTF8) else b""
            new = mark + text.replace("\n", "\r\n" if b"\r\n" in old else "\n").encode("utf-8", "replace")
            _require_readable(new, display(path))
            path.parent.mkdir(exist_ok=True)
            write_whole(path.resolve(), [new])
            self._written[path] = version_of(new), window
            return Paper(text, version_of(new))

    def keep(self, path: Path, content: bytes) -> str:
        """Keep a content beside the file, under the first free number; the name it got. Raises OSError."""
        with self.turn:
            return display(keep_beside(path, content))


def _require_readable(content: bytes, name: str) -> None:
    try:
        decode(content)
    except UnreadableSource as problem:
        raise IntakeError(f"Not saved. {name}: {problem}") from None
    if len(content) > SOURCE.size:
        raise IntakeError(f"Not saved. {SOURCE.refusal(name)}.")


def version_of(source: bytes) -> str:
    """Tells one content of a file from all others."""
    return sha256(source).hexdigest()[:32]


def lines(text: str) -> str:
    """Browsers send their own line ends, and an editor shows one kind."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
