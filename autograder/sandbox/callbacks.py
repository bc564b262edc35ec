"""What a worker may ask back while a probe runs, and how much of it.

The callbacks of a probe run in the grader, on arguments that a submission chose. So their number is limited, and the
processor time they take counts as if the submission had used it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeAlias

from autograder.course.model import Limits
from autograder.plain import Plain, as_numpy, as_plain
from autograder.sandbox import wire

Offered: TypeAlias = Mapping[str, Callable[..., object]]
#: How often a submission may ask back while one probe runs; who asks twice as often is not answered any more.
MOST_ASKED = 1000


class Callbacks:
    """The callbacks of one probe, with a count of what they have cost so far."""

    def __init__(self, offered: Offered | Callable[[], Offered], limits: Limits) -> None:
        self._offered = dict(offered() if callable(offered) else offered)
        self._noted = self._offered.pop("noted", dict)
        self._seconds = limits.cpu_seconds
        self._asked = 0

    @property
    def exhausted(self) -> bool:
        """Whether the worker went on asking although it was told to stop."""
        return self._asked > 2 * MOST_ASKED

    def put_notes_into(self, answer: Mapping[str, Plain]) -> None:
        """Let what was noted here take the place of what the worker says of the same."""
        if isinstance(parts := answer.get("parts"), dict):
            noted = as_plain(self._noted())
            assert isinstance(noted, dict)
            parts |= noted

    def reply(self, asks: Mapping[str, Plain], number: int) -> bytes:
        """The frame that answers one request; what is wrong with the request is an answer too."""
        self._asked += 1
        try:
            return wire.frame({"value": self._value(asks), "number": number})
        except Exception as problem:  # the arguments are a claim like everything else
            return wire.frame({"error": f"{type(problem).__name__}: {problem}"[:2000], "number": number})

    def _value(self, asks: Mapping[str, Plain]) -> Plain:
        name, arguments = asks.get("name"), asks.get("arguments")
        if not isinstance(name, str) or name not in self._offered or not isinstance(arguments, list):
            raise LookupError("there is nothing to ask by that name")
        if self._asked > MOST_ASKED:
            raise RuntimeError(f"{name} was called more than {MOST_ASKED:,} times, and more calls are not answered")
        if self._seconds <= 0:
            raise RuntimeError(f"the calls of {name} have used up the processor time; make them fewer or smaller")
        started = time.thread_time()
        try:
            return as_plain(self._offered[name](*(as_numpy(value) for value in arguments)))
        finally:
            self._seconds -= time.thread_time() - started
