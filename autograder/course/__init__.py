"""The course as frozen data: course.yaml, and the content of solutions/."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")


def misconception(slug: str, *, same_as: tuple[str, ...] = ()) -> Callable[[Answer], Answer]:
    """Mark a function or class of misconceptions.py as a wrong answer worth naming.

    Its docstring is the sentence the learner hears. `same_as` lists slugs that no input can tell from this one.
    The engine reads the mark from the source text; running the file leaves the function as it is.
    """
    return lambda answer: answer
