"""Notice that a file was saved, on any file system: look again and again instead of waiting to be told.

Network and shared file systems do not report changes, and editors write in pieces, or delete a file and rename another.
So a content counts once it has come to rest: two looks in a row have to find the same.
"""

from __future__ import annotations

import os
from pathlib import Path

from autograder.course.errors import display
from autograder.submissions.errors import IntakeError
from autograder.submissions.own import read_source

#: Seconds between two looks.
INTERVAL = 0.05
#: So many more looks have to find the same before it counts.
AT_REST = 1
#: The same for a file that is empty or missing: most likely somebody is about to write it.
DOUBTFUL = 20
#: The file is read at every so many looks even if time and size stayed: coarse clocks hide a quick second save.
READ_ANYWAY = 10


class SavedFile:
    """One file that a learner works on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._looks = 0
        self._stamp: tuple[int, ...] = ()
        self._content: bytes | str = ""
        self._rest = 0
        self._told: bytes | str | None = None

    def look(self) -> bytes | str | None:
        """The new content once it is at rest, a sentence where there is none to read; None where nothing is new."""
        content = self._read()
        self._rest = self._rest + 1 if content == self._content else 0
        self._content = content
        sure = isinstance(content, bytes) and content.strip()
        if content == self._told or self._rest < (AT_REST if sure else DOUBTFUL):
            return None
        self._told = content
        return content

    def _read(self) -> bytes | str:
        try:
            status = os.stat(self.path)
        except FileNotFoundError:
            self._stamp = ()
            return f"{display(self.path)} is not there. Save it, and it will be checked."
        except OSError as error:
            return f"{display(self.path)} cannot be read ({error.strerror})."
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        self._looks += 1
        if stamp == self._stamp and self._looks % READ_ANYWAY:
            return self._content
        self._stamp = stamp
        try:
            return read_source(self.path, display(self.path))
        except IntakeError as problem:
            return f"{problem}."
