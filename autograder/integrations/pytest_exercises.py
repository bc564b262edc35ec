"""A learner's loop in pytest: a file of `exercises/` as one test for each of its checks.

The file runs in a worker, as for `headcount check`, and never in the process of pytest.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from autograder.course.errors import CourseError
from autograder.course.load import load_course
from autograder.course.model import Course, Exercise
from autograder.errors import HeadcountError
from autograder.learn.progress import Progress
from autograder.plain import Library
from autograder.records import Result, Verdict
from autograder.sandbox.launch import Zygote

#: Said by a test that fails for a reason another one has told.
SAME = "the same"


class Session:
    """What all exercises of one run share: a zygote for each library, started when it is needed."""

    def __init__(self, config: pytest.Config) -> None:
        self._stack = ExitStack()
        self._zygotes: dict[Library, Zygote] = {}
        config.add_cleanup(self._stack.close)

    def zygote(self, exercise: Exercise) -> Zygote:
        """Raises HeadcountError where none can be started."""
        if exercise.library not in self._zygotes:
            from autograder.running import workers

            started = self._stack.enter_context(workers([exercise], lanes=1, forks=1))
            self._zygotes[exercise.library] = started
        return self._zygotes[exercise.library]


class NotRight(Exception):
    """Raised in the test of a check that did not pass; its text is the learner's message."""


class Unsound(pytest.File):
    """The exercises of a course.yaml that is not valid."""

    def __init__(self, *, problem: CourseError, **rest: Any) -> None:
        super().__init__(**rest)
        self.problem = problem

    def collect(self) -> Iterator[pytest.Item]:
        """Nothing but the reason."""
        raise self.CollectError(str(self.problem))


class ExerciseFile(pytest.File):
    """One exercise, checked once, when its first test runs."""

    def __init__(self, *, course: Course, exercise: Exercise, learners: Session, **rest: Any) -> None:
        super().__init__(**rest)
        self.course, self.exercise, self.learners = course, exercise, learners
        self.told: set[str] = set()
        """What tests have said already."""

    def collect(self) -> Iterator[pytest.Item]:
        """A test for each check of course.yaml."""
        for check in self.exercise.checks:
            yield CheckItem.from_parent(self, name=check.id)

    @cached_property
    def checked(self) -> tuple[Result | HeadcountError, str]:
        """The result, or why there is none, and what the file printed."""
        from autograder.learn.checking import check_source
        from autograder.submissions.own import read_source

        origin = f"{self.path.parent.name}/{self.path.name}"
        try:
            source, zygote = read_source(self.path, origin), self.learners.zygote(self.exercise)
            return check_source(self.course, Progress(self.course), self.exercise, source, origin, zygote)
        except HeadcountError as problem:
            return problem, ""


class CheckItem(pytest.Item):
    """One check of one exercise."""

    parent: ExerciseFile

    def runtest(self) -> None:
        """Pass, skip what cannot be told yet or here, or raise NotRight with what `headcount check` says."""
        result, printed = self.parent.checked
        if isinstance(result, HeadcountError):
            self._fail(str(result))
        elif not result.checks:
            self._fail(result.message)
        elif (verdict := next((each for each in result.checks if each.id == self.name), None)) is None:
            pytest.skip("is checked where the course is graded")
        elif not verdict.passed:
            self._explain(result, verdict, printed)

    def _explain(self, result: Result, verdict: Verdict, printed: str) -> None:
        from autograder.report.terminal import says_why, waits, wrap

        if waits(verdict):
            pytest.skip(verdict.message)
        main = result.message.startswith(verdict.message)
        if main and printed and verdict.message not in self.parent.told:
            self.add_report_section("call", "stdout", printed)
        self._fail(verdict.message, "\n".join(says_why(result) if main else wrap(verdict.message)))

    def _fail(self, message: str, in_full: str = "") -> None:
        """Each message is told in full by one test."""
        known = message in self.parent.told
        self.parent.told.add(message)
        raise NotRight(SAME if known else (in_full or message).rstrip())

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The message alone; a traceback would show lines that are not the learner's."""
        return str(excinfo.value) if isinstance(excinfo.value, NotRight) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Named by exercise and check."""
        return self.path, None, f"{self.parent.name}: {self.name}"


def exercise_file(
    path: Path, parent: pytest.Collector, kept: pytest.StashKey[Session]
) -> ExerciseFile | Unsound | None:
    """The tests of an exercise; None where the file is none of the course's."""
    try:
        course = load_course(path.parent.parent)
    except CourseError as problem:
        return Unsound.from_parent(parent, path=path, problem=problem)
    exercise = next((each for each in course.exercises if each.file == path.name), None)
    if exercise is None:
        return None
    if kept not in parent.config.stash:
        parent.config.stash[kept] = Session(parent.config)
    shared = parent.config.stash[kept]
    return ExerciseFile.from_parent(parent, path=path, course=course, exercise=exercise, learners=shared)
