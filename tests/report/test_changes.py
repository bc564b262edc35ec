"""What changes between two gradings, told from their rows."""

from __future__ import annotations

from dataclasses import replace

from autograder.records import Result
from autograder.report.changes import Changes
from autograder.report.rows import row

OLD = {"course": "a"}


def told(before: list[Result], after: list[Result]) -> tuple[list[tuple[str, str]], int]:
    """Who changes and why, and how many stay as they were."""
    changes = Changes(row(result) for result in before)
    for result in after:
        changes.compare(result, row(result))
    changes.finish()
    return [(change.learner, change.why) for change in changes.found], changes.same


def result(learner: str, points: float = 1.0) -> Result:
    """What somebody got."""
    return Result(learner, "e", points, 2.0, "OK", versions=OLD)


def test_other_versions_alone_are_no_change() -> None:
    """A course that was touched changes the versions of every row, and nobody's mark."""
    before = [result("ada"), result("bo")]
    assert told(before, [replace(each, versions={"course": "b"}) for each in before]) == ([], 2)


def test_learners_come_and_go() -> None:
    """Who is added or gone does not shift the others against each other."""
    before = [result("ada"), result("cy", 2.0), result("di")]
    after = [result("bo"), result("cy"), result("di"), result("el")]
    found, same = told(before, after)
    assert found == [("bo", "new"), ("cy", "another sum of points"), ("el", "new"), ("ada", "gone")]
    assert same == 1


def test_a_damaged_row_is_as_good_as_none() -> None:
    """Somebody edited the file; what cannot be read cannot be compared with."""
    changes = Changes(['{"learner": "ada"', row(result("bo"))])
    for each in (result("ada"), result("bo")):
        changes.compare(each, row(each))
    changes.finish()
    assert [(change.learner, change.why) for change in changes.found] == [("ada", "new")]


def test_the_sums_add_up() -> None:
    """Marks that change, results that differ otherwise, and the rest are counted apart."""
    changes = Changes(row(result(learner)) for learner in ("ada", "bo", "cy"))
    for after in (result("ada", 2.0), replace(result("bo"), late_days=1), result("cy")):
        changes.compare(after, row(after))
    changes.finish()
    last = changes.draw().splitlines()[-1]
    assert last == "1 mark changes, 1 result differs in other ways, 1 result is as it was."
