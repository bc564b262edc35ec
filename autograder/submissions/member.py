"""One file of an upload before it is read, and how large each kind of file may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from autograder.submissions.errors import Refusal


@dataclass(frozen=True)
class Limit:
    """The largest size in bytes of one kind of file, and what to do about a larger one."""

    size: int
    advice: str

    def refusal(self, origin: str) -> Refusal:
        """The reason for refusing ``origin``, which is larger than this."""
        amount = f"{self.size >> 20} MB" if self.size >= 1 << 20 else f"{self.size >> 10} kB"
        return Refusal(f"{origin} is larger than {amount}: {self.advice}")


SOURCE = Limit(256 << 10, "an exercise is a few kB of text, so check that this is the right file")
NOTEBOOK = Limit(2 << 20, "clear the outputs and save again")
ARCHIVE = Limit(8 << 20, "pack only the exercise files")


@dataclass(frozen=True)
class Member:
    """One file of an upload, found but not read."""

    path: str
    """Where it lies in the upload, with ``/`` between folders."""
    origin: str
    """The same for people, starting with the learner's folder or archive."""
    received: str | None
    read: Callable[[Limit], bytes]
    """Returns the contents; raises Refusal when they cannot be had or are larger than the limit."""
    instead: str = ""
    """What is there instead of a regular file, such as ``a symbolic link``. Such a member is never read."""
