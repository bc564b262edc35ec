"""Single keys from a terminal, without Enter; where there is no terminal, nobody presses any."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

try:
    import termios
    import tty
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]


class Keyboard:
    """Standard input as keys, while used as a context manager; the terminal is put back as it was."""

    def __init__(self) -> None:
        self._handle = -1
        self._before: list[int | list[bytes | int]] = []

    @property
    def live(self) -> bool:
        """Whether there is somebody who can press a key."""
        return self._handle >= 0

    def wait(self, seconds: float) -> str:
        """The key that is pressed within so many seconds; empty where none is."""
        if not self.live:
            time.sleep(seconds)
            return ""
        if not select.select([self._handle], [], [], seconds)[0]:
            return ""
        pressed = os.read(self._handle, 64).decode("utf-8", "replace")
        if not pressed:  # the terminal has gone
            self._handle = -1
        return pressed[:1].lower() if not pressed.startswith("\x1b") else ""

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Whole lines again for a while, for somebody who asks questions."""
        self.__exit__(None, None, None)
        try:
            yield
        finally:
            self.__enter__()

    def __enter__(self) -> Keyboard:
        if termios is not None and sys.stdin is not None and sys.stdin.isatty():
            handle = sys.stdin.fileno()
            if os.tcgetpgrp(handle) == os.getpgrp():  # in the background, touching the terminal would stop us
                self._before = termios.tcgetattr(handle)
                tty.setcbreak(handle)
                self._handle = handle
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._before:
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._before)
