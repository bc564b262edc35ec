"""`headcount grade` and `headcount regrade`."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import click

from autograder import grading, keys
from autograder.course.errors import CourseError, did_you_mean, display
from autograder.course.load import find_course, load_course
from autograder.course.model import Course
from autograder.errors import HeadcountError
from autograder.ledger import NAME, Ledger
from autograder.records import Result, Upload
from autograder.report.bar import Bar
from autograder.report.changes import Changes
from autograder.report.class_table import ClassTable
from autograder.report.rows import Rows, read_lines, write_rows
from autograder.running import workers
from autograder.sandbox.isolation import NONE, Isolation, lacks
from autograder.sandbox.launch import SandboxError
from autograder.submissions.intake import Uploads, collect

Watch: TypeAlias = Callable[[Iterable[Result]], Iterable[Result]]
RESULTS = "results.jsonl"
TRUST = "--no-isolation-i-trust-these-files"


def grade(path: Path, out: Path, *, jobs: int | None, alone: bool, trusted: bool, as_json: bool, plain: bool) -> None:
    """Run what is new under `path`, mark everything `out` knows, and leave results.jsonl there.

    Raises HeadcountError on bad input, and where this machine cannot isolate strangers' code and `trusted` is not said.
    """
    course = load_course(find_course(Path.cwd()))
    _require_folder(out)
    if out.resolve().is_relative_to(path.resolve()):
        raise CourseError((f"--out {out}: lies inside {path}, where it would be taken for a learner.",))
    uploads = collect(path, [exercise.file for exercise in course.exercises])
    grade_uploads(course, uploads, out, jobs=jobs, alone=alone, trusted=trusted, as_json=as_json, plain=plain)


def grade_uploads(
    course: Course, uploads: Uploads, out: Path, *, jobs: int | None, alone: bool, trusted: bool, as_json: bool,
    plain: bool, first: Callable[[Ledger], None] = lambda _: None, watch: Watch = lambda results: results,
) -> None:  # fmt: skip
    """Run what is new of these uploads, mark everything `out` knows, and leave results.jsonl there.

    `first` may look at the ledger before anything is run, `watch` sees the results as they are written. Raises as
    `grade` does.
    """
    _require_folder(out)
    lanes = jobs or os.cpu_count() or 1
    progress = Bar()

    def run(handed: Iterable[Upload], ledger: Ledger) -> grading.Plan:
        with workers(course.exercises, lanes=lanes, preload=("torch",), forks=len(uploads)) as zygote:
            require_isolation(zygote.isolation, trusted)
            plan = grading.plan(course, zygote.lanes, progress)
            assert plan
            grading.run_class(plan, handed, ledger, zygote, alone=alone, total=len(uploads), progress=progress)
        return plan

    try:
        with _opened(out) as ledger:
            ledger.note_drawn(keys.fingerprint(keys.course_secret(course)))
            first(ledger)
            try:
                plan = run(_noted(uploads), ledger)
            except SandboxError as error:  # perhaps memory was short for a moment; the ledger knows what is done
                click.echo(f"{error}; going on with a new one", err=True)
                plan = run(uploads, ledger)
            progress.close()
            _warn_of_strangers(course, ledger)
            _publish(course, watch(grading.mark_class(plan, ledger)), out, as_json=as_json, plain=plain)
    finally:
        progress.close()


def regrade(out: Path, *, as_json: bool) -> None:
    """Judge what the ledger in `out` holds by the course as it is now, without running anybody's code.

    Prints old and new marks side by side where they differ. Raises HeadcountError where there is no ledger.
    """
    course = load_course(find_course(Path.cwd()))
    with graded_folder(out) as ledger:
        if ledger.drawn not in ("", keys.fingerprint(keys.course_secret(course))):
            raise CourseError(
                (f"{out}: was graded with hidden probes from another secret. Set HEADCOUNT_SECRET to that one.",)
            )
        plan = grading.plan(course, None, only=ledger.exercises)
        if plan is None:
            with workers(course.exercises, lanes=1) as zygote:
                plan = grading.plan(course, zygote.lanes, only=ledger.exercises)
        assert plan
        _warn_of_strangers(course, ledger)
        changes = Changes(read_lines(out / RESULTS))
        _publish(course, grading.mark_class(plan, ledger), out, as_json=as_json, changes=changes)


@contextmanager
def graded_folder(out: Path) -> Iterator[Ledger]:
    """The ledger of an earlier grading. Raises HeadcountError where there is none, or nothing in it."""
    if not (out / NAME).is_file():
        raise CourseError((f"{out}: holds no {NAME}; `headcount grade CLASS --out {out}` makes one.",))
    with _opened(out) as ledger:
        if not any(ledger.uploads()):
            raise CourseError((f"{out / NAME}: holds no hand-ins; `headcount grade CLASS --out {out}` adds them.",))
        yield ledger


def _publish(
    course: Course,
    results: Iterable[Result],
    out: Path,
    *,
    as_json: bool,
    plain: bool = False,
    changes: Changes | None = None,
) -> None:
    """Write results.jsonl as a whole and say what it comes to, holding one result at a time."""
    table = ClassTable([(exercise.id, exercise.points) for exercise in course.exercises])
    verdicts: Counter[str] = Counter()
    made = Rows()

    def rows() -> Iterator[str]:
        for result in results:
            verdicts[result.verdict] += 1
            table.add(result)
            line = made.row(result)
            if changes:
                changes.compare(result, line)
            yield line
        if changes:
            changes.finish()

    written = write_rows(rows(), out / RESULTS)
    if as_json:
        summary = {"results": str(written), "learners": table.learners, "verdicts": dict(verdicts)}
        click.echo(json.dumps(summary | ({"changes": changes.as_data()} if changes else {})))
    else:
        click.echo(changes.draw() if changes else table.draw(plain=plain))
        count = f"{table.learners} learner{'' if table.learners == 1 else 's'}"
        click.echo(f"\n{count}. Results: {display(written)}")
        if waiting := verdicts["TO_BE_MARKED"]:
            waits = f"{waiting} text{' waits' if waiting == 1 else 's wait'}"
            click.echo(f"{waits} for marks: headcount mark {display(out)}")
    if ungraded := verdicts["NOT_GRADED"]:
        raise HeadcountError(
            f"{ungraded} answer{' is' if ungraded == 1 else 's are'} not graded yet; grade the class again."
        )


@contextmanager
def _opened(out: Path) -> Iterator[Ledger]:
    """The ledger in `out`, made if missing. Raises HeadcountError where it cannot be written, now or later."""
    try:
        ledger = Ledger(out)
    except OSError as error:
        raise CourseError((_unwritable(out, error),)) from None
    try:
        with ledger:
            _warn_of_damage(ledger)
            yield ledger
    except OSError as error:
        if error.filename is not None or isinstance(error, BrokenPipeError):  # somebody else's file, or the terminal's
            raise
        goes_on = "What is there already is kept: make room, and type the same command again."
        raise CourseError((f"{_unwritable(out, error)} {goes_on}",)) from None


def _unwritable(out: Path, error: OSError) -> str:
    return f"{out}: results cannot be written there ({error.strerror or error})."


def _noted(uploads: Uploads) -> Iterator[Upload]:
    """The uploads, with what there is to say about each on standard error."""
    for note in uploads.notes:
        click.echo(note, err=True)
    for upload in uploads:
        for note in upload.notes:
            click.echo(f"{upload.learner}: {note}", err=True)
        yield upload


def _require_folder(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise CourseError((f"--out {out}: is a file; name a folder for the results.",))


def require_isolation(found: Isolation, trusted: bool) -> None:
    """Raise HeadcountError where nothing would shut in what is run, unless its files are trusted."""
    if found.level == NONE and not trusted:
        why = f" ({', '.join(lacking)})" if (lacking := lacks()) else ""
        raise HeadcountError(
            f"This machine cannot shut in other people's code{why}, so nothing was run. `headcount doctor` says why "
            f"and what helps. If you wrote all these files yourself: {TRUST}"
        )


def _warn_of_strangers(course: Course, ledger: Ledger) -> None:
    """An extension for a name that nobody handed in under is most likely misspelt."""
    for learner in course.late.extensions if course.late else ():
        if not ledger.knows(learner):
            near = did_you_mean(learner, [each.learner for each in ledger.uploads()])
            click.echo(f"course.yaml: the extension for '{learner}' applies to nobody who handed in.{near}", err=True)


def _warn_of_damage(ledger: Ledger) -> None:
    if ledger.damaged:
        lines = f"{ledger.damaged} damaged line{'s are' if ledger.damaged > 1 else ' is'}"
        again = "`headcount grade` runs what is lost again, and a person's mark has to be given again"
        click.echo(f"{ledger.path}: {lines} left out; {again}.", err=True)
