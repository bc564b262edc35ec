"""Workers that are ready: one zygote stays while a learner works, so that a check costs a fork and no start."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import TypeVar

from autograder.course.model import Course, Exercise
from autograder.plain import Library
from autograder.running import workers
from autograder.sandbox.launch import SandboxError, Zygote

Done = TypeVar("Done")


class WarmWorkers:
    """Keeps one zygote. Use as a context manager.

    It is started anew when an exercise needs a library that it has not loaded, and when it has died.
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self._zygote: Zygote | None = None
        self._library: Library | None = None
        self._open = ExitStack()

    def prepare(self, exercise: Exercise) -> Zygote | None:
        """A zygote that has what this exercise needs; None where nothing has to be run.

        Raises CourseError or SandboxError where there can be none.
        """
        if exercise.kind != "code":
            return None
        if self._zygote is None or self._library not in (exercise.library, "torch"):
            self.close()
            self._zygote = self._open.enter_context(workers([exercise], lanes=1))
            self._library = exercise.library
        return self._zygote

    def use(self, exercise: Exercise, work: Callable[[Zygote | None], Done]) -> Done:
        """Do some work with a zygote; one that has died is replaced once. Raises as `prepare` and `work` do."""
        try:
            return work(self.prepare(exercise))
        except SandboxError:
            self.close()
            return work(self.prepare(exercise))

    def close(self) -> None:
        """End the zygote and its workers."""
        self._zygote = None
        self._open.close()

    def __enter__(self) -> WarmWorkers:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()
