"""The labelled corpus: answers in many styles, right and wrong, each graded like a learner's.

MANIFEST.tsv gives file, the name it defines, and the slug of its misconception (empty for a right answer).
"""

from __future__ import annotations

import csv

import pytest

from autograder.course.load import load_course
from autograder.course.model import Course, Exercise
from autograder.grading import mark_class, plan, run_class, workers
from autograder.ledger import Ledger
from autograder.records import Result, Submission, Upload
from tests.conftest import ROOT

CORPUS = ROOT / "tests" / "corpus"
#: Where an exercise asks for a second name, the corpus answers only the first; this is the other, done right.
SECOND_NAME = (ROOT / "solutions" / "f2_who_meets_whom" / "styles" / "overlap.py").read_text("utf-8")


@pytest.fixture(scope="module")
def course() -> Course:
    """The course itself."""
    return load_course(ROOT)


@pytest.fixture(scope="module")
def judged(course: Course, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, Result]]:
    """Slug and result of every file of the corpus."""
    homes = {name: exercise for exercise in course.exercises for name in exercise.defines}
    rows = list(csv.DictReader((CORPUS / "MANIFEST.tsv").open(encoding="utf-8"), delimiter="\t"))
    uploads = [_upload(row["file"], homes[row["target"]]) for row in rows]
    with workers(course.exercises, lanes=2) as zygote, Ledger(tmp_path_factory.mktemp("ledger")) as ledger:
        made = plan(course, zygote.lanes)
        assert made
        run_class(made, uploads, ledger, zygote)
        results = [result for result in mark_class(made, ledger) if result.verdict != "NOT_SUBMITTED"]
    slugs = {row["file"]: row["slug"] for row in rows}
    assert len(results) == len(slugs)
    return {result.learner: (slugs[result.learner], result) for result in results}


def _upload(file: str, exercise: Exercise) -> Upload:
    source = (CORPUS / file).read_text("utf-8")
    if len(exercise.defines) > 1:
        source = f"{SECOND_NAME}\n\n{source}"
    return Upload(file, (Submission(file, exercise.id, source.encode(), file),))


@pytest.mark.slow
def test_every_right_answer_gets_full_points(judged: dict[str, tuple[str, Result]]) -> None:
    """No correct style loses a point or is named."""
    wronged = [
        (file, result.message)
        for file, (slug, result) in judged.items()
        if not slug and (result.points < result.max_points or result.misconceptions)
    ]
    assert wronged == []


@pytest.mark.slow
def test_no_wrong_answer_gets_full_points(judged: dict[str, tuple[str, Result]]) -> None:
    """Every wrong answer loses points."""
    passed = [file for file, (slug, result) in judged.items() if slug and result.points >= result.max_points]
    assert passed == []


@pytest.mark.slow
def test_no_wrong_name(course: Course, judged: dict[str, tuple[str, Result]]) -> None:
    """Where misconceptions are named, the true one is among them, and it nearly always stands alone."""
    wrong = {file: (slug, result) for file, (slug, result) in judged.items() if slug}
    misnamed = [
        (file, result.misconceptions)
        for file, (slug, result) in wrong.items()
        if result.misconceptions and slug not in result.misconceptions
    ]
    assert misnamed == []
    alone = [file for file, (slug, result) in wrong.items() if result.misconceptions == (slug,)]
    assert len(alone) >= 180, f"{len(alone)} of {len(wrong)} named alone"
