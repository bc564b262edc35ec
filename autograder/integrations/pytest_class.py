"""A class graded by pytest: one test for each learner, exercise and check, with its points as properties.

A learner is graded when their first test runs, and only for the exercises that were chosen, so that `-k`, `-x`, `--lf`
and pytest-xdist mean what they mean elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.course.load import find_course, load_course
from autograder.errors import HeadcountError
from autograder.integrations.junit import outcome
from autograder.integrations.marks import REFUSED, UNGRADED, Marks, Part
from autograder.integrations.text import number, plain
from autograder.records import Upload
from autograder.submissions.intake import collect

if TYPE_CHECKING:
    from autograder.integrations.single import Single


class Grader:
    """The course, the class and what grades them. Nothing is started before the first test runs."""

    def __init__(self, place: Path, path: Path) -> None:
        """Find the course in `place` or above it. Raises HeadcountError where it, or the class, is not there."""
        self.path = path
        self.course = load_course(find_course(place))
        self.course.require_solutions()
        self.uploads = collect(path, [exercise.file for exercise in self.course.exercises])
        self._stack = ExitStack()
        self._single: Single | None = None
        self._graded: dict[str, Marks] = {}

    def close(self) -> None:
        """End what was started."""
        self._stack.close()

    def marks(self, upload: Upload, chosen: Iterable[str]) -> Marks:
        """What one learner got for the chosen exercises. Raises HeadcountError where nothing can be graded here."""
        from autograder.integrations.single import one_by_one

        if self._single is None:
            self._single = self._stack.enter_context(one_by_one(self.course, set(chosen)))
        if upload.learner not in self._graded:
            self._graded[upload.learner] = self._single.grade(upload)
        return self._graded[upload.learner]


class Class(pytest.Collector):
    """The tests of all learners."""

    def __init__(self, *, grader: Grader, **rest: Any) -> None:
        super().__init__(**rest)
        self.grader = grader

    def collect(self) -> Iterator[pytest.Item]:
        """For each learner in turn the checks of course.yaml; for a refused upload the reason."""
        for upload in self.grader.uploads:
            if upload.refused is not None:
                yield self._item(upload, "upload", "")
                continue
            for exercise in self.grader.course.exercises:
                for check in exercise.checks or [None]:
                    yield self._item(upload, exercise.id, check.id if check else "")

    def _item(self, upload: Upload, exercise: str, check: str) -> GradedCheck:
        name = "::".join(filter(None, (plain(upload.learner).replace("::", ":"), exercise, check)))
        return GradedCheck.from_parent(self, name=name, nodeid=name, upload=upload, exercise=exercise, check=check)


class NotPassed(Exception):
    """Raised in the test of a check that earned less than its points; its text is the message."""


class GradedCheck(pytest.Item):
    """One check of one exercise of one learner."""

    parent: Class

    def __init__(self, *, upload: Upload, exercise: str, check: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.upload, self.exercise, self.check = upload, exercise, check

    def runtest(self) -> None:
        """Note the points, and raise NotPassed or skip where not all of them were earned."""
        if self.upload.refused is not None:
            self._note(Part("upload", 0.0, self._worth(), False, True, self.upload.refused, REFUSED))
            raise NotPassed(self.upload.refused)
        chosen = (item.exercise for item in self.session.items if isinstance(item, GradedCheck))
        try:
            marks = self.parent.grader.marks(self.upload, chosen)
        except HeadcountError as problem:
            pytest.exit(str(problem), returncode=pytest.ExitCode.USAGE_ERROR)
        part = self._part(marks)
        self._note(part)
        if outcome(part) == "skipped":
            pytest.skip(part.message)
        if part.verdict == UNGRADED:
            raise HeadcountError(part.message)
        if not part.passed:
            raise NotPassed(part.message)

    def _part(self, marks: Marks) -> Part:
        """What became of the check; where the exercise could not be checked, the reason and no points."""
        parts = {part.name: part for part in marks.parts}
        if found := parts.get("::".join(filter(None, (self.exercise, self.check)))):
            return found
        return replace(parts[self.exercise], points=0.0, max_points=self._worth())

    def _worth(self) -> float:
        exercises = self.parent.grader.course.exercises
        if self.upload.refused is not None:
            return sum(each.points for each in exercises)
        checks = next(each.checks for each in exercises if each.id == self.exercise)
        return next(each.points for each in checks if each.id == self.check)

    def _note(self, part: Part) -> None:
        """As --junit-xml writes it into the report."""
        self.user_properties += [
            ("points", number(part.points)), ("max_points", number(part.max_points)),
            ("shown", str(part.shown).lower()), ("verdict", part.verdict), ("late_days", str(part.late_days)),
        ]  # fmt: skip

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The message alone."""
        ours = isinstance(excinfo.value, (NotPassed, HeadcountError))
        return plain(str(excinfo.value)) if ours else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Named as it is."""
        return self.parent.grader.path, None, self.name


def summary(reports: Iterable[Iterable[Any]]) -> Iterator[str]:
    """A line for each learner: the points of the checks that were chosen, out of those there were."""
    earned: Mapping[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for report in (report for group in reports for report in group if getattr(report, "when", "") == "call"):
        learner, noted = report.nodeid.partition("::")[0], dict(report.user_properties)
        for place, name in enumerate(("points", "max_points")):
            earned[learner][place] += float(noted.get(name, 0))
    for learner, (points, most) in sorted(earned.items()):
        yield f"{learner}: {number(points)} of {number(most)}"
