"""The graded notebooks that formgrader and `nbgrader generate_feedback` show.

Each is the course's own notebook with the student's answers in it, so nothing else that somebody put into theirs
(cells, outputs, metadata) is ever opened by the person who grades.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder import notebooks
from autograder.files import write_whole
from autograder.integrations.nbgrader.collect import Handed
from autograder.integrations.nbgrader.place import Place
from autograder.integrations.nbgrader.told import harmless
from autograder.integrations.text import plain
from autograder.records import Result
from autograder.report.terminal import draw_check
from autograder.submissions.arrival import TIMESTAMP
from autograder.texts.mark import answer as written

_MISSING = "# No answer was found for this exercise."


def write(place: Place, student: str, handed: Handed, results: Mapping[str, Result]) -> Path:
    """Write the notebook, with the time of arrival beside it as nbgrader has it; the path of the notebook."""
    home = place.autograded(student, handed.book.name)
    home.mkdir(parents=True, exist_ok=True)
    path = home / f"{handed.book.name}.ipynb"
    write_whole(path, [notebooks.as_file(_cells(handed, results)).encode("utf-8", "replace")], lasting=False)
    stamp = place.submitted() / student / handed.book.name / TIMESTAMP
    if stamp.is_file() and not stamp.is_symlink():
        shutil.copyfile(stamp, home / TIMESTAMP)
    return path


def _cells(handed: Handed, results: Mapping[str, Result]) -> list[dict[str, Any]]:
    exercises = {each.id: each for each in handed.book.exercises}
    checked = {notebooks.check_id(each): each for each in handed.book.exercises}
    cells = []
    for cell in handed.book.cells:
        name = notebooks.grade_id(cell)
        if exercise := exercises.get(name):
            source = handed.sources.get(name)
            text = plain(source.decode("utf-8", "replace")) if source is not None else _MISSING
            cell = cell | {"source": harmless(written(text)) if exercise.kind == "text" else text}
        elif exercise := checked.get(name):
            told = plain(draw_check(results[exercise.id], exercise.title, hidden=False))
            cell = cell | {"outputs": [{"output_type": "stream", "name": "stdout", "text": told}]}
        cells.append(cell)
    return cells
