"""Find and load a course. Every problem in course.yaml is found in one pass and reported as file:line:column.

A course that passed is kept in the cache under the digest of its bytes, so that the everyday commands start in
milliseconds: neither the YAML reader nor pydantic is imported again until the file changes.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from autograder import __version__
from autograder.course.cache import recall, store
from autograder.course.errors import CourseError, display
from autograder.course.model import Check, Course, Exercise, Family, Late, Limits, ReadyMade, Stage

COURSE_FILE = "course.yaml"
_MAX_BYTES = 1_000_000


class NoCourse(CourseError):
    """Raised where neither a folder nor any above it has a course.yaml."""


def find_course(start: Path) -> Path:
    """The nearest folder with a course.yaml, from `start` upwards. Raises NoCourse when there is none."""
    start = start.absolute()
    for folder in (start, *start.parents):
        if (folder / COURSE_FILE).is_file():
            return folder
    mend = "Go to the folder of the course with 'cd', or lay one out with `headcount init NEW_FOLDER`."
    raise NoCourse((f"There is no {COURSE_FILE} in {start} or above it. {mend}",))


def load_course(root: Path) -> Course:
    """The course in this folder. Raises CourseError with all problems of its course.yaml."""
    path = root / COURSE_FILE
    written = _read(path)
    digest = sha256(written).hexdigest()
    name = f"course-{__version__}-{digest}.json"
    course = _recalled(recall(name), root.absolute(), digest)
    if course is None:
        course = _validated(_decode(written, path), path, digest)
        store(name, json.dumps(asdict(course), default=str).encode())
    return course


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            written = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise CourseError((f"{display(path)}: there is no such file",)) from None
    except OSError as error:
        raise CourseError((f"{display(path)}: cannot be read ({error.strerror})",)) from None
    if len(written) > _MAX_BYTES:
        raise CourseError((f"{display(path)}: is larger than 1 MB, so it cannot be a course file",))
    return written


def _decode(written: bytes, path: Path) -> str:
    try:
        return written.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = written.count(b"\n", 0, error.start) + 1
        raise CourseError((f"{display(path)}:{line}: is not UTF-8 text; save the file with that encoding",)) from None


def _validated(text: str, path: Path, digest: str) -> Course:
    from autograder.course.rules import cross_check
    from autograder.course.schema import validate
    from autograder.course.terms import check_terms
    from autograder.course.tree import read_tree

    tree = read_tree(text, display(path))
    course, problems = validate(tree, path.parent.absolute(), digest)
    problems += [*tree.problems, *cross_check(tree), *check_terms(tree)]
    if course is None or problems:
        raise CourseError(tree.report(problems))
    exercises = zip(course.exercises, tree.data["exercises"], strict=True)
    return replace(course, exercises=tuple(_with_limits(course, each, entry) for each, entry in exercises))


def _with_limits(course: Course, exercise: Exercise, entry: dict[str, Any]) -> Exercise:
    """An exercise names only the limits it changes; the others are the course's, not the engine's."""
    if exercise.limits is None:
        return exercise
    changed = {key: getattr(exercise.limits, key) for key in entry["limits"]}
    return replace(exercise, limits=replace(course.limits, **changed))


def _recalled(kept: bytes | None, root: Path, digest: str) -> Course | None:
    try:
        return _rebuilt(json.loads(kept), root, digest) if kept else None
    except (ValueError, TypeError, KeyError):
        return None


def _rebuilt(data: dict[str, Any], root: Path, digest: str) -> Course:
    families = (Family(**family | {"slugs": tuple(family["slugs"])}) for family in data["families"])
    fresh: dict[str, Any] = {
        "root": root,
        "sha256": digest,
        "stages": tuple(Stage(**stage) for stage in data["stages"]),
        "families": tuple(families),
        "exercises": tuple(map(_exercise, data["exercises"])),
        "limits": Limits(**data["limits"]),
        "late": Late(**data["late"]) if data["late"] else None,
        "ready_made": ReadyMade(data["ready_made"]["policy"], tuple(data["ready_made"]["names"])),
    }
    return Course(**data | fresh)


def _exercise(data: dict[str, Any]) -> Exercise:
    tuples: dict[str, Any] = {key: tuple(data[key]) for key in ("defines", "needs", "hints", "words")}
    checks = tuple(Check(**check | {"needs": tuple(check["needs"])}) for check in data["checks"])
    limits = Limits(**data["limits"]) if data["limits"] else None
    return Exercise(**data | tuples | {"checks": checks, "limits": limits})
