"""What lies in exercises/: generated from solutions/, and found out when it no longer agrees with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from autograder.blank import blank
from autograder.course.errors import display
from autograder.course.model import Course, Exercise
from autograder.files import write_whole
from autograder.notebooks import folder
from autograder.texts.load import QUESTION

_SOURCES = {"code": "solution.py", "quiz": "quiz.py", "text": QUESTION}


def write_stub(course: Course, exercise: Exercise) -> Path | None:
    """Write the stub where it differs; the path when something was written."""
    path, text = course.stub_path(exercise), blank(course, exercise)
    if path.is_file() and path.read_text("utf-8", "replace") == text:
        return None
    path.parent.mkdir(exist_ok=True)
    write_whole(path, [text.encode()])
    return path


def drift(course: Course, exercise: Exercise) -> Iterator[str]:
    """A problem when the committed stub is not what its solution gives."""
    path = course.stub_path(exercise)
    wanted = blank(course, exercise).splitlines()
    try:
        found = path.read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        yield f"{display(path)}: is missing. `headcount verify --fix` writes it."
        return
    if found == wanted:
        return
    pairs = enumerate(zip(found, wanted, strict=False), start=1)
    line = next((n for n, (a, b) in pairs if a != b), min(len(found), len(wanted)) + 1)
    source = display(course.folder(exercise) / _SOURCES[exercise.kind])
    yield (
        f"{display(path)}:{line}: differs from what {source} gives. This file is generated: "
        "make the change there, then run `headcount verify --fix`."
    )


def unlisted(course: Course) -> Iterator[str]:
    """Files and folders that course.yaml does not know."""
    stems = {folder(course).name, *(exercise.id for exercise in course.exercises)}
    for side in ("exercises", "solutions"):
        for path in sorted((course.root / side).glob("*")):
            if path.name.lower().startswith((".", "_", "readme")) or path.suffix not in ("", ".py", ".yaml", ".md"):
                continue
            if path.stem not in stems:
                yield f"{display(path)}: is not in course.yaml. List it there or remove it."
