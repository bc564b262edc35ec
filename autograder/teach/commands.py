"""`headcount grade`."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import click

from autograder import grading
from autograder.course.errors import CourseError, display
from autograder.course.load import find_course, load_course
from autograder.records import Result
from autograder.report.rows import row
from autograder.report.terminal import Progress, draw_class
from autograder.submissions import collect


def grade(path: Path, out: Path, *, jobs: int | None, as_json: bool) -> None:
    """Grade everything under `path` and leave results.jsonl in `out`. Raises HeadcountError on bad input."""
    course = load_course(find_course(Path.cwd()))
    exercises = [exercise for exercise in course.exercises if exercise.kind == "code"]
    uploads = list(collect(path, [exercise.id for exercise in exercises]))
    if out.exists() and not out.is_dir():
        raise CourseError((f"--out {out}: is a file; name a folder for the results.",))
    for upload in uploads:
        for note in upload.notes:
            click.echo(f"{upload.learner}: {note}", err=True)
    progress = Progress()
    results: list[Result] = []

    def rows() -> list[str]:
        for result in grading.grade(course, uploads, jobs=jobs or os.cpu_count() or 1, progress=progress):
            results.append(result)
        return [row(result) for result in results]

    try:
        written = grading.write_results(rows(), out)
    except OSError as error:
        raise CourseError((f"--out {out}: results cannot be written there ({error.strerror}).",)) from None
    finally:
        progress.close()
    if as_json:
        verdicts = Counter(result.verdict for result in results)
        click.echo(json.dumps({"results": str(written), "learners": len(uploads), "verdicts": dict(verdicts)}))
        return
    click.echo(draw_class(results, [(exercise.id, exercise.points) for exercise in exercises]))
    click.echo(f"\n{len(uploads)} learners graded. Results: {display(written)}")
