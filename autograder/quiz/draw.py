"""Load an exercise's quiz.py and draw its questions for a learner.

Each public function of quiz.py is a question, named like the check of course.yaml that it counts for. One that takes
`rng` draws its numbers: that question varies by learner. The same learner always gets the same numbers.
"""

from __future__ import annotations

import inspect
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

from autograder.course.authored import authored_module, errors_of
from autograder.course.errors import ContentError, did_you_mean, display
from autograder.course.model import Course, Exercise
from autograder.quiz.questions import Question

#: The learner whose numbers stand in exercises/ and in notebooks: nobody.
DEFAULT = ""

Draw: TypeAlias = Mapping[str, Question]
"""The questions as one learner gets them, by the name of their check, in the order of course.yaml."""


@dataclass(frozen=True)
class Quiz:
    """The questions of one exercise, ready to be drawn."""

    exercise: Exercise
    path: Path
    lesson: str
    """The docstring of quiz.py: what stands at the top of the sheet."""
    functions: Mapping[str, Callable[..., Any]]
    version: str
    """Of the bytes of quiz.py."""
    _drawn: dict[str, Draw] = field(default_factory=dict)

    def varies(self, name: str) -> bool:
        """Whether this question has other numbers for every learner."""
        return bool(inspect.signature(self.functions[name]).parameters)

    def draw(self, learner: str) -> Draw:
        """The questions of one learner. Raises ContentError where a function of quiz.py fails."""
        if learner != DEFAULT:
            return self._draw(_same_for(learner))
        if DEFAULT not in self._drawn:  # what a whole class is marked with is drawn once
            self._drawn[DEFAULT] = self._draw(DEFAULT)
        return self._drawn[DEFAULT]

    def _draw(self, learner: str) -> Draw:
        import numpy as np

        drawn = {}
        for name, function in self.functions.items():
            varies = self.varies(name)
            seed = "\0".join((self.exercise.id, name, learner if varies else DEFAULT))
            rng = np.random.default_rng(int.from_bytes(sha256(seed.encode()).digest(), "big"))
            with errors_of(self.path, f"{name}()"):
                question = function(rng) if varies else function()
            if not isinstance(question, Question):
                kind = type(question).__name__
                raise ContentError((f"{display(self.path)}: {name}() must return a question, not {kind}",))
            drawn[name] = question.shuffled(partial(_shuffle, rng))
        return drawn


def load_quiz(course: Course, exercise: Exercise) -> Quiz:
    """The quiz of an exercise. Runs quiz.py, the author's own file.

    Raises ContentError where it fails, or where its functions are not the checks of course.yaml.
    """
    path = course.folder(exercise) / "quiz.py"
    checks = [check.id for check in exercise.checks]
    with authored_module(path) as module:
        defined = dict(_questions(module))
        lesson = inspect.cleandoc(module.__doc__ or "")
    problems = [f"has no function {name}() for check '{name}'" for name in checks if name not in defined]
    for name, function in defined.items():
        if name not in checks:
            near = did_you_mean(name, checks)
            problems.append(f"{name}() is no check of the exercise; call a helper _{name}.{near}")
        elif list(inspect.signature(function).parameters) not in ([], ["rng"]):
            problems.append(f"{name}() must take nothing, or rng where its numbers vary by learner")
    if not lesson:
        problems.append("has no docstring; it becomes the text at the top of the sheet")
    if problems:
        raise ContentError(tuple(f"{display(path)}: {problem}" for problem in problems))
    version = sha256(path.read_bytes()).hexdigest()[:32]
    return Quiz(exercise, path, lesson, {name: defined[name] for name in checks}, version)


def _questions(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    for name, found in vars(module).items():
        if isinstance(found, FunctionType) and found.__module__ == module.__name__ and not name.startswith("_"):
            yield name, found


def _same_for(learner: str) -> str:
    """One form for however a learner's name is written: folders and sign-up lists differ in upper and lower case."""
    return " ".join(unicodedata.normalize("NFC", learner).casefold().split())


def same_learner(a: str, b: str) -> bool:
    """Whether two names get the same numbers."""
    return _same_for(a) == _same_for(b)


def _shuffle(rng: Any, count: int) -> Sequence[int]:
    """Some order, never the author's own: that may be the answer."""
    order = [int(place) for place in rng.permutation(count)]
    return order if order != list(range(count)) else [*order[1:], order[0]]
