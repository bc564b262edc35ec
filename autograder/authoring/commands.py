"""`headcount verify` and `headcount release`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.authoring import books, stubs
from autograder.authoring import release as building
from autograder.authoring.verify import problems
from autograder.course.errors import CourseError, display, installing
from autograder.course.load import find_course, load_course
from autograder.course.model import Course, Exercise
from autograder.report.bar import Bar
from autograder.running import workers

if TYPE_CHECKING:
    from autograder.authoring.deep import Review
    from autograder.authoring.mutants import Mutant


def verify(wanted: str | None, *, deep: bool, fix: bool, as_json: bool) -> bool:
    """Print every problem of the course, or of one exercise; True when there is none.

    Raises CourseError where course.yaml is not valid, or what was asked for is not there.
    """
    course = load_course(find_course(Path.cwd()))
    course.require_solutions()
    exercises = course.exercises if wanted is None else (course.find(wanted),)
    if fix:
        for exercise in exercises:
            if path := stubs.write_stub(course, exercise):
                click.echo(f"wrote {display(path)}", err=True)
        for path in books.write(course, exercises):
            click.echo(f"wrote {display(path)}", err=True)
    progress = Bar()
    reviews: list[Review] = []
    try:
        found = list(problems(course, exercises, progress))
        for done in _reviews(course, exercises, progress) if deep else ():
            if isinstance(done, str):
                found.append(done)
                continue
            reviews.append(done)
            found += done.problems
            if not as_json:
                progress.close()
                click.echo(draw(done))
    finally:
        progress.close()
    found = list(dict.fromkeys(found))
    if as_json:
        said = {"problems": found, "exercises": len(exercises)}
        click.echo(json.dumps(said | ({"reviews": _as_data(reviews)} if deep else {})))
    else:
        for problem in found:
            click.echo(problem)
        click.echo(f"{len(found)} to mend." if found else _sound(exercises, reviews))
    return not found


def release(out: Path, since: Path | None) -> None:
    """Build the handout in a new folder and say what stays behind. `since` is the one before. Raises CourseError."""
    course = load_course(find_course(Path.cwd()))
    course.require_solutions()
    with workers(course.exercises, lanes=1) as zygote:
        (lane,) = zygote.lanes
        try:
            notes = building.release(course, out, lane, since)
        except OSError as error:
            raise CourseError((f"{out}: cannot be written there ({error.strerror or error}).",)) from None
    for note in notes:
        click.echo(note, err=True)
    click.echo(f"{len(course.exercises)} exercises: {display(out)}")


def _reviews(course: Course, exercises: Sequence[Exercise], progress: Bar) -> Iterator[Review | str]:
    """The review of each code exercise, or the problems that stood in its way."""
    try:
        from autograder.authoring.deep import review
    except ModuleNotFoundError as missing:
        if missing.name != "libcst":
            raise
        need = f"verify --deep needs libcst, which is not installed here: {installing('libcst')}"
        raise CourseError((need,)) from None
    code = [exercise for exercise in exercises if exercise.kind == "code"]
    with workers(code, lanes=1) as zygote:
        (lane,) = zygote.lanes
        for count, exercise in enumerate(code, start=1):
            progress("looking deeper", count, len(code))
            try:
                yield review(course, exercise, lane)
            except CourseError as error:
                yield from error.problems


def draw(review: Review) -> str:
    """What an author reads about one exercise; what is to be mended comes after all of them."""
    lines = [
        f"{review.exercise.id}: {review.exercise.title}",
        f"  misconceptions  {review.misconceptions}",
        f"  mutants         {review.mutants}",
        *_excused(review),
        f"  probes          {review.probes}",
        f"  cheats          {review.cheats}",
    ]
    if review.problems:
        lines.append(f"  to mend         {len(review.problems)}, listed below")
    return "\n".join([*lines, ""])


def _excused(review: Review) -> Iterator[str]:
    """The equivalent mutants, those of one line and reason together."""

    def place(each: tuple[Mutant, str]) -> tuple[int, str, str]:
        mutant, why = each
        return mutant.line, mutant.was, why

    for (line, was, why), group in groupby(sorted(review.excused, key=place), place):
        yield f"    line {line}: {why}"
        yield f"        {was}"
        yield from (f"     -> {mutant.becomes}" for mutant, _ in group)


def _sound(exercises: Sequence[Exercise], reviews: Sequence[Review]) -> str:
    count = f"{len(exercises)} exercise{' is' if len(exercises) == 1 else 's are'} sound"
    if not reviews:
        return f"{count}."
    tried, excused = sum(each.tried for each in reviews), sum(len(each.excused) for each in reviews)
    return f"{count}: {tried} mutants, {tried - excused} rejected, {excused} equivalent."


def _as_data(reviews: Sequence[Review]) -> list[dict[str, object]]:
    return [
        {
            "exercise": each.exercise.id,
            "mutants": each.tried,
            "equivalent": [
                {"line": mutant.line, "was": mutant.was, "becomes": mutant.becomes, "why": why}
                for mutant, why in each.excused
            ],
            "problems": each.problems,
        }
        for each in reviews
    ]
