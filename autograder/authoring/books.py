"""What lies in exercises/notebooks/: generated like the stubs, in courses that have this folder."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from autograder import notebooks
from autograder.course.errors import ContentError, display
from autograder.course.model import Course, Exercise
from autograder.files import write_whole

_MEND = "`headcount verify --fix` writes it."


def write(course: Course, exercises: Collection[Exercise]) -> Iterator[Path]:
    """Write the notebooks that hold one of these exercises, where they differ; the paths of what was written."""
    for path, wanted in _wanted(course, exercises):
        if not (path.is_file() and path.read_bytes() == wanted):
            write_whole(path, [wanted])
            yield path


def drift(course: Course, exercises: Collection[Exercise]) -> Iterator[str]:
    """A problem for each notebook that is not what the course gives, and for each that no stage gives."""
    try:
        wanted = dict(_wanted(course, exercises))
    except ContentError:
        return  # said where the exercise itself is looked at
    for path, text in wanted.items():
        if not path.is_file():
            yield f"{display(path)}: is missing. {_MEND}"
        elif path.read_bytes() != text:
            yield f"{display(path)}: differs from what course.yaml and solutions/ give. {_MEND}"
    if len(exercises) == len(course.exercises):
        for path in sorted(notebooks.folder(course).glob("*.ipynb")):
            if path not in wanted:
                yield f"{display(path)}: is the notebook of no stage. Remove it."


def _wanted(course: Course, exercises: Collection[Exercise]) -> Iterator[tuple[Path, bytes]]:
    place = notebooks.folder(course)
    if place.is_dir():
        for notebook in notebooks.build(course):
            if any(exercise in exercises for exercise in notebook.exercises):
                yield place / f"{notebook.name}.ipynb", notebook.text.encode()
