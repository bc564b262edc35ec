"""How well verdicts match the labels of a corpus, and what judging costs: ``python -m bench.judgement [CORPUS]``.

CORPUS holds files and a MANIFEST.tsv with the columns file, target (the name that the file defines) and slug (of its
misconception; "unlisted" for a thought that the course has no name for; empty for a right answer). Without CORPUS it is
tests/corpus, and the tables go to docs/judgement.md too.
Exits with 1 where a right answer loses points, a wrong one passes in silence, or a wrong name is said.
"""

from __future__ import annotations

import csv
import os
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.course import content
from autograder.course.load import load_course
from autograder.course.model import Course
from autograder.grading import Plan, plan, run_class
from autograder.judge.score import judge
from autograder.ledger import Ledger
from autograder.records import Result, Submission, Upload
from autograder.running import workers
from bench.measure import ENVIRONMENT, ROOT, Failed
from bench.report import figure, print_measured, put, table

CORPUS = ROOT / "tests" / "corpus"
PAGE = ROOT / "docs" / "judgement.md"
#: Where an exercise asks for more names than the corpus answers, the others are done right.
REST = {"head_of_channel": ROOT / "solutions" / "f2_who_meets_whom" / "styles" / "overlap.py"}
#: The label of wrong answers whose thought is on no list: whatever name is said of them is a wrong one.
UNLISTED = "unlisted"
#: How often each answer is judged: the median is told.
TIMES = 3
#: Every outcome, from worst to best for a right answer and then for a wrong one.
FALSE_REJECT, PASSED = "false reject", "passed"
FALSE_ACCEPT, WRONG_NAME, NOTHING = "false accept", "wrong name", "nothing named"
FAMILY, SEVERAL, ALONE, UNNAMED = "family only", "named among several", "named alone", "unlisted, unnamed"
FAILURES = (FALSE_REJECT, FALSE_ACCEPT, WRONG_NAME)
OF_WRONG = (FALSE_ACCEPT, WRONG_NAME, ALONE, SEVERAL, FAMILY, NOTHING, UNNAMED)


@dataclass(frozen=True)
class Judged:
    """One file of the corpus: its label, its result, what the two together mean, and how long judging took."""

    file: str
    target: str
    slug: str
    result: Result
    outcome: str
    milliseconds: float


@dataclass(frozen=True)
class Measured:
    """A judged corpus, and the processor time of grading it, in seconds."""

    files: tuple[Judged, ...]
    cpu: float

    def count(self, *outcomes: str, target: str = "") -> int:
        """How many files, of one target or of all, came to one of these outcomes."""
        return sum(each.outcome in outcomes and target in ("", each.target) for each in self.files)


def measure(course: Course, corpus: Path) -> Measured:
    """Grade every file of the corpus like a learner's, in one class, and judge the answers again for the clock.

    Raises Failed where the corpus is not what its manifest says, or the machine failed to run a file.
    """
    rows = _rows(course, corpus)
    targets = {row["target"] for row in rows}
    exercises = [exercise for exercise in course.exercises if targets & {*exercise.defines}]
    # a later exercise may ask for the same name once more, as a tool
    homes = {name: exercise.id for exercise in reversed(exercises) for name in exercise.defines}
    uploads = [_upload(corpus, row["file"], row["target"], homes[row["target"]]) for row in rows]
    with workers(exercises, lanes=1) as zygote:  # keys are compiled once for a course, not once for a class
        plan(course, zygote.lanes, only=homes.values())
    begun = _cpu()
    with TemporaryDirectory() as folder, Ledger(Path(folder)) as ledger:
        with workers(exercises, lanes=1) as zygote:
            made = plan(course, zygote.lanes, only=homes.values())
            assert made
            run_class(made, uploads, ledger, zygote)
        spent = _cpu() - begun
        twins = {exercise.id: _twins(course, exercise.id) for exercise in made.exercises}
        files = tuple(_judged(made, ledger, row, homes[row["target"]], twins) for row in rows)
    return Measured(files, spent + sum(each.milliseconds for each in files) / 1000)


def _rows(course: Course, corpus: Path) -> list[dict[str, str]]:
    """The manifest, line by line."""
    path = corpus / "MANIFEST.tsv"
    if not path.is_file():
        raise Failed(f"{corpus}: holds no MANIFEST.tsv")
    with path.open(encoding="utf-8") as manifest:
        rows = list(csv.DictReader(manifest, delimiter="\t"))
    defined = {name for exercise in course.exercises for name in exercise.defines}
    for number, row in enumerate(rows, start=2):
        if not {"file", "target", "slug"} <= row.keys():
            raise Failed(f"{path}: the columns file, target and slug are needed")
        if row["target"] not in defined:
            raise Failed(f"{path}:{number}: no exercise asks for '{row['target']}'")
        if not (corpus / row["file"]).is_file():
            raise Failed(f"{path}:{number}: there is no file {row['file']}")
    return rows


def _upload(corpus: Path, file: str, target: str, exercise: str) -> Upload:
    source = (corpus / file).read_text("utf-8")
    if target in REST:
        source = f"{REST[target].read_text('utf-8')}\n\n{source}"
    return Upload(file, (Submission(file, exercise, source.encode(), file),))


def _judged(made: Plan, ledger: Ledger, row: dict[str, str], id: str, twins: dict[str, dict[str, set[str]]]) -> Judged:
    answers = ledger.attempts(row["file"])
    if not answers:
        raise Failed(f"{row['file']}: this machine failed to run it; measure again")
    seen, times = answers[0].seen(), []
    for _ in range(TIMES):
        begun = time.thread_time()
        result = judge(made.course.exercise(id), made.keys[id], Submission(row["file"], id, b"", row["file"]), seen)
        times.append(1000 * (time.thread_time() - begun))
    outcome = _outcome(made.course, row["slug"], result, twins[id])
    return Judged(row["file"], row["target"], row["slug"], result, outcome, statistics.median(times))


def _outcome(course: Course, slug: str, result: Result, twins: dict[str, set[str]]) -> str:
    """What a result means for a file with this label."""
    full = result.points >= result.max_points
    if not slug:
        return FALSE_REJECT if not full else WRONG_NAME if result.misconceptions else PASSED
    if full and not result.message:
        return FALSE_ACCEPT
    if result.misconceptions:
        if not {slug, *twins.get(slug, ())} & set(result.misconceptions):
            return WRONG_NAME
        return ALONE if len(result.misconceptions) == 1 else SEVERAL
    if slug == UNLISTED:
        return UNNAMED
    family = course.family_of(slug)
    return FAMILY if family and result.family == family.name else NOTHING


def _twins(course: Course, id: str) -> dict[str, set[str]]:
    """Slugs that no input can tell from each other, as the exercise declares them."""
    return {wrong.slug: set(wrong.same_as) for wrong in content.misconceptions(course, course.exercise(id))}


def _cpu() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def tables(measured: Measured) -> str:
    """All that was found, as Markdown."""
    parts = [_sums(measured), _targets(measured)]
    if differing := list(_differing(measured)):
        parts.append(table(["file", "label", "named", "verdict"], differing))
    return "\n\n".join([*parts, _costs(measured)])


def _sums(measured: Measured) -> str:
    right = sum(not each.slug for each in measured.files)
    unlisted = sum(each.slug == UNLISTED for each in measured.files)
    wrong = len(measured.files) - right
    among = dict.fromkeys((FALSE_ACCEPT, WRONG_NAME), f"{wrong} wrong") | {UNNAMED: f"{unlisted} unlisted"}
    rows = [[FALSE_REJECT, str(measured.count(FALSE_REJECT)), f"{right} right"]]
    rows += [[each, str(measured.count(each)), among.get(each, f"{wrong - unlisted} listed")] for each in OF_WRONG]
    return table(["outcome", "files", "of"], rows)


def _targets(measured: Measured) -> str:
    rows = [
        [
            target,
            str(measured.count(PASSED, target=target)),
            *(str(measured.count(outcome, target=target)) for outcome in (FALSE_REJECT, *OF_WRONG)),
            figure(statistics.median(each.milliseconds for each in measured.files if each.target == target)),
        ]
        for target in sorted({each.target for each in measured.files})
    ]
    return table(["exercise", PASSED, FALSE_REJECT, *OF_WRONG, "judging, ms (median)"], rows)


def _differing(measured: Measured) -> Iterator[list[str]]:
    """Every file whose name is not exactly its label; where there is no name to say, none is missed."""
    for each in measured.files:
        if each.outcome == UNNAMED:
            continue
        if each.outcome not in (PASSED, ALONE) or (each.slug and each.result.misconceptions != (each.slug,)):
            said = " = ".join(each.result.misconceptions) or (
                f"family {each.result.family}" if each.result.family else ""
            )
            yield [each.file, each.slug or "right", said or "nothing", f"{each.outcome} ({each.result.verdict})"]


def _costs(measured: Measured) -> str:
    judging = sum(each.milliseconds for each in measured.files) / 1000
    middle = statistics.median(each.milliseconds for each in measured.files)
    slowest = max(each.milliseconds for each in measured.files)
    return (
        f"Judging one answer takes {figure(middle)} ms of processor time (median; the slowest {figure(slowest)} ms). "
        f"It is {100 * judging / measured.cpu:.1f} % of grading this corpus, where starting and running are the rest."
    )


def main() -> None:
    """Measure one corpus; the one in tests also goes to the page."""
    if len(sys.argv) > 2 or sys.argv[1:] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    corpus = Path(sys.argv[1]) if len(sys.argv) > 1 else CORPUS
    os.environ.setdefault("HEADCOUNT_SECRET", ENVIRONMENT["HEADCOUNT_SECRET"])
    try:
        measured = measure(load_course(ROOT), corpus)
    except Failed as problem:
        sys.exit(str(problem))
    text = print_measured(lambda: tables(measured))
    if corpus == CORPUS:
        put("judgement", text, PAGE)
    sys.exit(1 if measured.count(*FAILURES) else 0)


if __name__ == "__main__":
    main()
