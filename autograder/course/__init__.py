"""The course as frozen data: course.yaml, and the content of solutions/."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    from autograder.records import Proof

Answer = TypeVar("Answer")


def misconception(
    slug: str, *, same_as: tuple[str, ...] = (), alone: bool = False, proves: Proof = ""
) -> Callable[[Answer], Answer]:
    """Mark a function or class of misconceptions.py as a wrong answer worth naming.

    Its docstring is the sentence the learner hears. `same_as` lists slugs that no input can tell from this one.
    `alone` says that it is too rare to be looked for together with another one. `proves` says how much the same answers
    prove where they hold no wrong number: "name", "family" or "nothing"; the sentence is told in any case.
    The engine reads the mark from the source text; running the file leaves the function as it is.
    """
    return lambda answer: answer


@overload
def assembled(answer: Answer, /) -> Answer: ...
@overload
def assembled(*, without: tuple[str, ...]) -> Callable[[Answer], Answer]: ...
def assembled(answer: Any = None, /, *, without: tuple[str, ...] = ()) -> Any:
    """Mark a right answer that consists of calls of steps, so that a wrong step makes a wrong answer.

    Steps come from this file or, by `from exercise_id import step`, from that of another exercise, whose misconceptions
    then apply here too. `without` lists slugs that a step can have and this exercise cannot.
    """
    return answer if answer is not None else lambda right: right
