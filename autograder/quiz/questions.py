"""What all kinds of question have in common.

A kind is one class: how an answer is typed, how it is marked, what a perfect answer looks like, and what an author may
have got wrong. Questions are drawn by the functions of an exercise's quiz.py.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from autograder.quiz.typed import LETTERS

#: How many things there may be to choose from or to put in order.
FEWEST, MOST = 2, len(LETTERS)
Shuffle: TypeAlias = Callable[[int], Sequence[int]]
"""Gives the numbers below its argument in some order."""

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


@dataclass(frozen=True)
class Mark:
    """What one answer is worth, from 0 to 1, what the learner hears, and the misconceptions it shows."""

    share: float
    says: str
    slugs: tuple[str, ...] = ()


class Question(ABC):
    """What all kinds have in common."""

    ask: str

    @property
    @abstractmethod
    def how(self) -> str:
        """What to type, for the sheet."""

    @property
    def options(self) -> tuple[str, ...]:
        """What there is to choose from, or to put in order, as it stands on the sheet."""
        return ()

    @abstractmethod
    def mark(self, text: str) -> Mark:
        """Mark what was typed. Raises Refused where it is no answer of this kind."""

    @property
    @abstractmethod
    def model(self) -> str:
        """What a perfect learner types."""

    @abstractmethod
    def faults(self) -> Iterator[str]:
        """What an author has to mend."""

    @property
    @abstractmethod
    def slugs(self) -> tuple[str, ...]:
        """Every misconception that an answer may show."""

    def shuffled(self, shuffle: Shuffle) -> Question:
        """The question with its options in another order than the author wrote them in."""
        return self


def named(*slugs: str) -> tuple[str, ...]:
    """Each slug once, and nothing where a wrong answer has no name."""
    return tuple(dict.fromkeys(filter(None, slugs)))


def untaught(ask: str, told: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """What is missing a text: the question itself, or an explanation. And slugs that are none."""
    if not ask.strip():
        yield "asks nothing"
    for what, says, slug in told:
        if not says.strip():
            yield f"{what} has no explanation"
        if slug and not _SLUG.fullmatch(slug):
            yield f"{what} has the slug '{slug}', which should be words in small letters joined by hyphens"
