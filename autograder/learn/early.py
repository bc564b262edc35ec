"""A zygote for one check, started before the rest of the engine is loaded: the two then load side by side."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from autograder.course.model import Exercise
from autograder.sandbox.launch import Zygote
from autograder.sandbox.start import start


@contextmanager
def early_zygote(exercise: Exercise) -> Iterator[Zygote | None]:
    """A zygote that is on its way, where the exercise needs one; None where it lacks its library.

    At the end it is left to end by itself: nobody waits for what they have no more use for.
    """
    if exercise.kind != "code" or find_spec(exercise.library) is None:
        yield None
        return
    zygote = start(1, sorted({"numpy", exercise.library}))
    try:
        yield zygote
    finally:
        zygote.hang_up()
