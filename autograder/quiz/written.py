"""Questions whose answers are typed: a number, numbers, a shape, an order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from autograder.quiz import typed
from autograder.quiz.arithmetic import EXAMPLES, UNITS, number
from autograder.quiz.questions import FEWEST, MOST, Mark, Question, Shuffle, named, untaught
from autograder.quiz.refused import quoted


@dataclass(frozen=True)
class Wrong:
    """A wrong answer worth recognising, the sentence that teaches, and the misconception where it has a name."""

    value: Any
    says: str
    slug: str = ""


@dataclass(frozen=True)
class _Typed(Question):
    """What questions with a typed answer share: known wrong answers, and a sentence for all others."""

    ask: str
    answer: Any
    says: str
    """What is said to the right answer: why it is right."""
    wrong: tuple[Wrong, ...]
    otherwise: str
    """What is said to an answer that is wrong in no known way."""

    @abstractmethod
    def read(self, text: str) -> Any:
        """The value that was typed. Raises Refused."""

    @abstractmethod
    def write(self, value: Any) -> str:
        """How a value is typed."""

    def same(self, a: Any, b: Any) -> bool:
        """Whether a typed value is this one."""
        return bool(a == b)

    def mark(self, text: str) -> Mark:
        value = self.read(text)
        if self.same(value, self.answer):
            return Mark(1.0, self.says)
        for wrong in self.wrong:
            if self.same(value, wrong.value):
                return Mark(0.0, f"{quoted(text)}: {wrong.says}", named(wrong.slug))
        return Mark(0.0, f"{quoted(text)} is not it. {self.otherwise}")

    @property
    def model(self) -> str:
        return self.write(self.answer)

    @property
    def slugs(self) -> tuple[str, ...]:
        return tuple(wrong.slug for wrong in self.wrong if wrong.slug)

    def faults(self) -> Iterator[str]:
        told = [(f"the wrong answer {self.write(each.value)}", each.says, each.slug) for each in self.wrong]
        yield from untaught(self.ask, [("the right answer", self.says, ""), ("any other", self.otherwise, ""), *told])
        known = [("the right answer", self.answer), *((self.write(each.value), each.value) for each in self.wrong)]
        for place, (name, value) in enumerate(known):
            for earlier, other in known[:place]:
                if self.same(self.read(self.write(value)), other):
                    yield f"the wrong answer {name} cannot be told from {earlier}"
        if not self.wrong:
            yield "knows no wrong answer; name at least the most likely one"


@dataclass(frozen=True, kw_only=True)
class Number(_Typed):
    """Type one number. `unit` is "", "%" or "bytes"; values are in its base (0.988, 37748736)."""

    ask: str
    answer: int | float | Fraction
    says: str
    wrong: tuple[Wrong, ...] = ()
    otherwise: str
    unit: str = ""
    within: float = 0.0
    """How far off an answer may be."""

    @property
    def how(self) -> str:
        example = "0.25 or 1/4" if self.within and not self.unit else EXAMPLES[self.unit]
        return f"a number{f' ({self.unit})' if self.unit else ''}, as in  {example}"

    def read(self, text: str) -> Fraction:
        return number(text, self.unit)

    def write(self, value: Any) -> str:
        scaled = Fraction(value) / UNITS[self.unit][""]
        return str(scaled.numerator) if scaled.denominator == 1 else repr(round(float(scaled), 9))

    def same(self, a: Any, b: Any) -> bool:
        return _near(a, b, self.within)

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if self.within == 0 and Fraction(self.answer).denominator != 1:
            yield "asks for a number that is not whole; say `within` how much it has to be right"


@dataclass(frozen=True, kw_only=True)
class Numbers(_Typed):
    """Type a list of numbers; nested lists are read row by row."""

    ask: str
    answer: Sequence[float]
    says: str
    wrong: tuple[Wrong, ...] = ()
    otherwise: str
    within: float = 0.0
    example: str = "[3, 1, 2]"

    @property
    def how(self) -> str:
        return f"numbers, as in  {self.example}"

    def read(self, text: str) -> tuple[Fraction, ...]:
        return typed.numbers(text)

    def write(self, value: Any) -> str:
        return "[" + ", ".join(f"{each:.12g}" for each in value) + "]"

    def same(self, a: Any, b: Any) -> bool:
        return len(a) == len(b) and all(_near(x, y, self.within) for x, y in zip(a, b, strict=True))


@dataclass(frozen=True, kw_only=True)
class Shape(_Typed):
    """Type a shape, in numbers or in the names of axes; `names` maps each name to other ways of writing it."""

    ask: str
    answer: tuple[int | str, ...]
    says: str
    wrong: tuple[Wrong, ...] = ()
    otherwise: str
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def how(self) -> str:
        return f"a shape, as in  {'(' + ', '.join(list(self.names)[:2]) + ')' if self.names else '(2, 3, 4)'}"

    def read(self, text: str) -> tuple[int | str, ...]:
        known = {typed.axis_name(word): name for name, words in self.names.items() for word in (name, *words)}
        return typed.shape(text, known)

    def write(self, value: Any) -> str:
        return f"({', '.join(map(str, value))})"


@dataclass(frozen=True, kw_only=True)
class Ordering(_Typed):
    """Put things in order. `answer` and the values of `wrong` list them first to last; the sheet shuffles them."""

    ask: str
    answer: tuple[str, ...]
    says: str
    wrong: tuple[Wrong, ...] = ()
    otherwise: str
    shown: tuple[str, ...] = ()

    @property
    def how(self) -> str:
        return "all letters, first to last, as in  b, a, c"

    @property
    def options(self) -> tuple[str, ...]:
        return self.shown or self.answer

    def shuffled(self, shuffle: Shuffle) -> Question:
        return replace(self, shown=tuple(self.answer[place] for place in shuffle(len(self.answer))))

    def read(self, text: str) -> tuple[str, ...]:
        return tuple(self.options[place] for place in typed.order(text, len(self.answer)))

    def write(self, value: Any) -> str:
        return ", ".join(typed.LETTERS[self.options.index(each)] for each in value)

    def faults(self) -> Iterator[str]:
        if not FEWEST < len(set(self.answer)) == len(self.answer) <= MOST:
            yield f"orders {len(self.answer)} things; from {FEWEST + 1} to {MOST} different ones are possible"
        elif strange := [each for each in self.wrong if sorted(each.value) != sorted(self.answer)]:
            yield f"the wrong order {strange[0].value} is not one of the same things"
        else:
            yield from super().faults()


def _near(a: Any, b: Any, within: float) -> bool:
    """A typed number and a known one; the last bit of a float is nobody's answer."""
    a, b = Fraction(a), Fraction(b)
    return bool(abs(a - b) <= Fraction(within) + (abs(b) / 10**9 if b.denominator != 1 else 0))
