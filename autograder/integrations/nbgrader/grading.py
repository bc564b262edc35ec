"""Grade what lies in ``submitted/``: the ordinary grading, with nbgrader's folder before and after it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

from autograder import notebooks
from autograder.course.model import Course, Exercise
from autograder.integrations.marks import UNMARKED
from autograder.integrations.nbgrader import autograded, scores
from autograder.integrations.nbgrader.collect import Handed, Submitted
from autograder.integrations.nbgrader.gradebook import earliest_due
from autograder.integrations.nbgrader.place import Place
from autograder.integrations.nbgrader.told import comment
from autograder.judge.late import kept_share
from autograder.ledger import Given, Ledger
from autograder.records import Result

#: Verdicts of a text that there is nothing to read of.
NOTHING = ("NOT_DEFINED", "NOT_SUBMITTED", "SYNTAX_ERROR")


@dataclass
class Folder:
    """One grading of a course folder: what it knew before, and the results as they come."""

    course: Course
    place: Place
    submitted: Submitted
    _seen: dict[tuple[str, str], str] = field(default_factory=dict)
    """Of each text the hash of what formgrader has shown so far, by student and exercise."""
    _results: dict[str, dict[str, Result]] = field(default_factory=dict)

    def take_marks(self, ledger: Ledger) -> None:
        """What a person typed into formgrader for a text becomes its mark in the ledger, before anything is run."""
        texts = {each.id: each for each in self.course.exercises if each.kind == "text"}
        self._seen = {(each.learner, id): sha for each in ledger.uploads() for id, sha in each.sources.items()}
        for given in scores.given(self.place, texts):
            sha = self._seen.get((given.student, given.answer))
            most = texts[given.answer].points
            mark = Given(min(max(given.points, 0.0), most), " ".join(given.comment.split()))
            for answer in ledger.attempts(given.student):
                if (answer.exercise, answer.sha256) == (given.answer, sha) and answer.given != mark:
                    ledger.add_given(answer, mark)
                    break

    def watch(self, results: Iterable[Result]) -> Iterator[Result]:
        """The same results; kept until they are written."""
        for result in results:
            if result.exercise:
                self._results.setdefault(result.learner, {})[result.exercise] = result
            yield result

    def write(self) -> int:
        """Write gradebook and graded notebooks; how many notebooks."""
        found = [
            (student, handed, self._results[student])
            for student, books in self.submitted.handed.items()
            for handed in books
            if student in self._results
        ]
        scores.write(self.place, [self._scores(*each) for each in found])
        for student, handed, results in found:
            autograded.write(self.place, student, handed, results)
        return len(found)

    def _scores(self, student: str, handed: Handed, results: dict[str, Result]) -> scores.Scores:
        mine = [(exercise, results[exercise.id]) for exercise in handed.book.exercises]
        penalty = math.fsum(self._earned(*each) - each[1].points for each in mine)
        return scores.Scores(
            student, handed.book.name, scores.as_kept(handed.received), self._extension(student, handed),
            round(penalty, 6) or None, tuple(self._score(*each, handed) for each in mine),
        )  # fmt: skip

    def _score(self, exercise: Exercise, result: Result, handed: Handed) -> scores.Score:
        earned = self._earned(exercise, result)
        notes = handed.notes.get(exercise.id, [])
        said = comment(
            result, earned, ["its cell is as it was handed out", *notes] if exercise.id in handed.untouched else notes
        )
        if exercise.kind != "text":
            return scores.Score(notebooks.check_id(exercise), exercise.id, earned, None, False, said)
        auto = 0.0 if result.verdict in NOTHING else None
        manual = earned if auto is None and result.verdict != UNMARKED else None
        new = self._is_new(exercise, result.learner, handed)
        return scores.Score(exercise.id, exercise.id, auto, manual, new, said)

    def _is_new(self, exercise: Exercise, student: str, handed: Handed) -> bool:
        before = self._seen.get((student, exercise.id))
        source = handed.sources.get(exercise.id)
        return before is not None and (source is None or sha256(source).hexdigest() != before)

    def _earned(self, exercise: Exercise, result: Result) -> float:
        """The points before anything was taken off for coming late."""
        if result.checks:
            return round(math.fsum(check.points for check in result.checks), 6)
        kept = kept_share(self.course.late_of(exercise), result.late_days)
        return round(result.points / kept, 6) if kept else 0.0

    def _extension(self, student: str, handed: Handed) -> timedelta | None:
        due = earliest_due(self.course, handed.book)
        extended = self.course.late.extensions.get(student) if self.course.late else None
        if due is None or extended is None:
            return None
        later = scores.as_kept(extended)
        assert isinstance(later, datetime)
        return max(later - due, timedelta()) or None
