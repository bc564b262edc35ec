"""Questions whose answers are letters of choices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from autograder.quiz import typed
from autograder.quiz.questions import FEWEST, MOST, Mark, Question, Shuffle, named, untaught
from autograder.quiz.refused import Refused, quoted


@dataclass(frozen=True)
class Choice:
    """One of several answers to choose from. `says` is its explanation, whether it is right or wrong."""

    text: str
    says: str
    right: bool = False
    slug: str = ""
    """The misconception that leads here, as a family of course.yaml lists it; empty where it has no name."""


@dataclass(frozen=True)
class _Choices(Question):
    """What questions with choices share."""

    ask: str
    choices: tuple[Choice, ...]

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(choice.text for choice in self.choices)

    @property
    def model(self) -> str:
        return ", ".join(letter for letter, choice in zip(typed.LETTERS, self.choices, strict=False) if choice.right)

    @property
    def slugs(self) -> tuple[str, ...]:
        return tuple(choice.slug for choice in self.choices if choice.slug)

    def shuffled(self, shuffle: Shuffle) -> Question:
        return replace(self, choices=tuple(self.choices[place] for place in shuffle(len(self.choices))))

    def faults(self) -> Iterator[str]:
        yield from untaught(self.ask, [*((repr(each.text), each.says, each.slug) for each in self.choices)])
        if not FEWEST <= len(self.choices) <= MOST:
            yield f"has {len(self.choices)} choices; from {FEWEST} to {MOST} are possible"
        if len({" ".join(each.text.split()).casefold() for each in self.choices}) < len(self.choices):
            yield "has two choices that say the same"
        yield from (f"the right choice '{each.text}' has a slug" for each in self.choices if each.right and each.slug)

    def _taken(self, text: str) -> list[tuple[str, Choice]]:
        places = typed.letters(text, self.options)
        return [(typed.LETTERS[place], self.choices[place]) for place in sorted(places)]


@dataclass(frozen=True)
class OneOf(_Choices):
    """Choose the one right answer."""

    @property
    def how(self) -> str:
        return "one letter"

    def mark(self, text: str) -> Mark:
        taken = self._taken(text)
        if len(taken) > 1:
            raise Refused(f"{quoted(text)} names {len(taken)} choices, but one is right; type its letter alone")
        ((letter, choice),) = taken
        return Mark(float(choice.right), f"{letter}: {choice.says}", named(choice.slug))

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if (right := sum(choice.right for choice in self.choices)) != 1:
            yield f"has {right} right choices; one of them has to be right"


@dataclass(frozen=True)
class SomeOf(_Choices):
    """Choose all right answers. Right ones taken count, wrong ones taken count against them."""

    @property
    def how(self) -> str:
        return "the letters of all that are right, with commas between them"

    def mark(self, text: str) -> Mark:
        taken = self._taken(text)
        right = sum(choice.right for choice in self.choices)
        hits = sum(choice.right for _, choice in taken)
        misses = len(taken) - hits
        told = [f"{letter}{'' if choice.right else ' does not belong'}: {choice.says}" for letter, choice in taken]
        told += [] if hits == right else ["Not everything that belongs is there."]
        share = max(0.0, hits / right - misses / (len(self.choices) - right))
        return Mark(share, " ".join(told), named(*(choice.slug for _, choice in taken)))

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if not 0 < sum(choice.right for choice in self.choices) < len(self.choices):
            yield "needs at least one right and one wrong choice"
