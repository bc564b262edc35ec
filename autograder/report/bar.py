"""How far a piece of work is, on standard error."""

from __future__ import annotations

import sys


class Bar:
    """Counts on standard error: a bar where a person watches, nothing where nobody does."""

    def __init__(self) -> None:
        self.live = sys.stderr.isatty()
        self.drawn = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        """Redraw the bar."""
        if not self.live:
            return
        filled = 24 * done // total if total else 0
        bar = f"{'━' * filled}{'╌' * (24 - filled)} {done}/{total}" if total else f"{done}"
        self.drawn = f"\r{what:16} {bar}\x1b[K"
        sys.stderr.write(self.drawn)
        sys.stderr.flush()

    def close(self) -> None:
        """Take the bar off the screen."""
        if self.drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
