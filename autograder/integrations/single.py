"""Grade one upload after the other, each with a ledger of its own, for tools that keep the marks themselves."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder import grading
from autograder.course.model import Course
from autograder.integrations.marks import Marks, gather
from autograder.ledger import Ledger
from autograder.records import Upload
from autograder.report.rows import row
from autograder.running import workers
from autograder.sandbox.isolation import Isolation
from autograder.sandbox.launch import Zygote
from autograder.teach.commands import require_isolation


@dataclass(frozen=True)
class Single:
    """Workers and keys, ready for any number of uploads."""

    plan: grading.Plan
    zygote: Zygote
    folder: Path

    @property
    def isolation(self) -> Isolation:
        """How far what is run is shut in."""
        return self.zygote.isolation

    def grade(self, upload: Upload) -> Marks:
        """What one learner gets for this upload alone; earlier attempts are not known here."""
        chosen = {exercise.id for exercise in self.plan.exercises}
        asked = tuple(each for each in upload.submissions if each.exercise in chosen)
        with TemporaryDirectory(dir=self.folder) as place, Ledger(Path(place)) as ledger:
            grading.run_class(self.plan, [replace(upload, submissions=asked)], ledger, self.zygote)
            (marks,) = gather(json.loads(row(result)) for result in grading.mark_class(self.plan, ledger))
        return marks


@contextmanager
def one_by_one(course: Course, chosen: Collection[str]) -> Iterator[Single]:
    """Get ready for these exercises. Raises HeadcountError where a key cannot be made or nothing shuts strangers in."""
    exercises = [each for each in course.exercises if each.id in chosen]
    code = [each for each in exercises if each.kind == "code"]
    with (
        TemporaryDirectory(prefix="headcount-") as folder,
        workers(code, lanes=1, preload=("torch",)) as zygote,
    ):
        require_isolation(zygote.isolation, trusted=False)
        plan = grading.plan(course, zygote.lanes, only={each.id for each in code})
        assert plan
        yield Single(replace(plan, exercises=exercises), zygote, Path(folder))
