"""`headcount check` from its first moment: the zygote it will need starts before anything else is loaded.

Course, engine and judge are then loaded side by side with it; it is told what to load when that is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograder.learn.meeting import listened_at
from autograder.sandbox.isolation import lacks
from autograder.sandbox.launch import Zygote
from autograder.sandbox.start import start


def check(target: str | None, *, background: bool, **how: Any) -> bool:
    """What `autograder.learn.check.check` does, with a zygote on its way."""
    with _on_its_way(background=background) as zygote:
        from autograder.learn.check import check

        return check(target, background=background, zygote=zygote, **how)


@contextmanager
def _on_its_way(*, background: bool) -> Iterator[Zygote | None]:
    """A zygote that has not been told what to load; None where a worker in the background may do, or forks cannot.

    At the end it is left to end by itself: nobody waits for what they have no more use for.
    """
    if lacks() or (background and listened_at()):
        yield None
        return
    zygote = start(1, None)
    try:
        yield zygote
    finally:
        zygote.hang_up()
