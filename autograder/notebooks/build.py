"""Build the notebook of a stage: for each exercise its lesson, a cell for the answer, and a cell that checks it.

The cells carry nbgrader's metadata, so the same file is what learners open and what an instructor hands out with
nbgrader. An answer's cell is called like its exercise, whatever else is in the notebook.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from autograder.blank import blank
from autograder.course.errors import display
from autograder.course.files import parse
from autograder.course.model import Course, Exercise, Stage
from autograder.notebooks.markdown import lesson, paragraphs, prose, without_title
from autograder.quiz.cell import answers_cell, answers_name
from autograder.quiz.draw import DEFAULT, Quiz, load_quiz
from autograder.quiz.sheet import asked
from autograder.quiz.typed import LETTERS
from autograder.texts.load import LINE, load_text

Cell: TypeAlias = dict[str, Any]
SCHEMA = 3
#: nbformat allows no longer id of a cell.
_LONGEST_ID = 64
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_HOW = (
    "Run the first cell, write each answer into its cell, run that, and run the cell below it: it says what is right, "
    "what is not, and which idea may have gone wrong. Each answer is judged alone, so its imports and helpers belong "
    "into its own cell."
)


@dataclass(frozen=True)
class Notebook:
    """The notebook of one stage."""

    name: str
    """The file's name without its ending, and the name of the assignment in nbgrader."""
    stage: Stage
    exercises: tuple[Exercise, ...]
    cells: tuple[Cell, ...]

    @property
    def text(self) -> str:
        """The file, written as Jupyter writes it."""
        return as_file([_in_lines(cell) for cell in self.cells])


def as_file(cells: list[Cell]) -> str:
    """These cells as the text of a notebook file (format 4.5)."""
    book = {"cells": cells, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def folder(course: Course) -> Path:
    """Where the notebooks of a course lie, if it has any."""
    return course.root / "exercises" / "notebooks"


def name_of(stage: Stage) -> str:
    """The name of a stage's notebook."""
    words = re.findall(r"[a-z0-9]+", stage.title.lower())
    return "_".join([stage.letter.lower(), *words])


def check_id(exercise: Exercise) -> str:
    """What nbgrader calls the cell that checks an exercise, which is the one that has the points."""
    return f"{exercise.id}-check"


def answer_cell(book: Notebook, exercise: Exercise) -> str:
    """The cell that an exercise is answered in, as it is handed out; empty where the notebook has none for it."""
    return next((str(cell["source"]) for cell in book.cells if grade_id(cell) == exercise.id), "")


def grade_id(cell: Cell) -> str:
    """What nbgrader calls a cell that was built here; empty where that is nothing to it."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def build(course: Course) -> Iterator[Notebook]:
    """The notebooks of a course, in the order of its stages. Raises ContentError where solutions/ lacks something."""
    for stage in course.stages:
        exercises = tuple(exercise for exercise in course.exercises if exercise.stage == stage.letter)
        if exercises:
            yield Notebook(name_of(stage), stage, exercises, tuple(_cells(course, stage, exercises)))


def _cells(course: Course, stage: Stage, exercises: tuple[Exercise, ...]) -> Iterator[Cell]:
    defined = {name for exercise in exercises for name in exercise.defines}
    check = "headcount_check" if "check" in defined else "check"
    start = "from autograder.integrations.jupyter import check"
    yield _markdown("top", f"# {prose(stage.title)}\n\n{prose(course.title)}, part {stage.letter}. {_HOW}")
    yield _code("start", f"{start} as {check}" if check != "check" else start, _role("start", locked=True))
    for exercise in exercises:
        yield from {"code": _coded, "quiz": _asked, "text": _written}[exercise.kind](course, exercise, check)


def _coded(course: Course, exercise: Exercise, check: str) -> Iterator[Cell]:
    stub = blank(course, exercise)
    tree = parse(stub, display(course.stub_path(exercise)))
    doc = ast.get_docstring(tree) or ""
    body = stub
    if doc:
        body = "\n".join(stub.splitlines()[tree.body[0].end_lineno :])
    yield _markdown("lesson", f"{_heading(exercise)}\n\n{lesson(without_title(doc, exercise.title))}", exercise)
    yield _code("answer", body.strip(), _role(exercise.id, solution=True), exercise)
    yield _checking(exercise, check, exercise.defines[0])


def _asked(course: Course, exercise: Exercise, check: str) -> Iterator[Cell]:
    quiz = load_quiz(course, exercise)
    if course.quiz_numbers == "own" and any(map(quiz.varies, quiz.functions)):
        note = f"The numbers of this quiz are yours alone: answer your own sheet, `{exercise.file}`."
        yield _markdown("lesson", f"{_heading(exercise)}\n\n{note}", exercise)
        return
    yield _markdown("lesson", "\n\n".join([_heading(exercise), *_questions(quiz)]), exercise)
    yield _code("answer", answers_cell(quiz), _role(exercise.id, solution=True), exercise)
    yield _checking(exercise, check, answers_name(exercise))


def _questions(quiz: Quiz) -> Iterator[str]:
    yield from paragraphs(quiz.lesson)
    points = {check.id: check.points for check in quiz.exercise.checks}
    for name, question in quiz.draw(DEFAULT).items():
        yield f"**`{name}`** ({points[name]:g})"
        yield from paragraphs(asked(question))
        choices = zip(LETTERS, question.options, strict=False)
        if listed := [f"- **{letter}**: {prose(' '.join(option.split()))}" for letter, option in choices]:
            yield "\n".join(listed)


def _written(course: Course, exercise: Exercise, check: str) -> Iterator[Cell]:
    text = load_text(course, exercise)
    told = f"Write {text.length} into the cell below, under its first line. A person reads and marks them."
    yield _markdown("lesson", f"{_heading(exercise)}\n\n{text.question}\n\n{told}", exercise)
    role = _role(exercise.id, grade=True, solution=True, points=exercise.points, cell_type="markdown")
    yield _markdown("answer", f"*Your text:*\n{LINE}\n", exercise, role)


def _heading(exercise: Exercise) -> str:
    points = f"{exercise.points:g} point{'s' * (exercise.points != 1)}"
    title = f"## {exercise.id.partition('_')[0].upper()}. {prose(exercise.title)}"
    return f"{title}\n\n{points}, about {exercise.minutes} minutes"


def _checking(exercise: Exercise, check: str, answer: str) -> Cell:
    role = _role(check_id(exercise), grade=True, locked=True, points=exercise.points)
    return _code("check", f'{check}("{exercise.id}", {answer})', role, exercise)


def _role(
    grade_id: str, *, grade: bool = False, solution: bool = False, locked: bool = False, points: float | None = None,
    cell_type: str = "code",
) -> Cell:  # fmt: skip
    """What nbgrader has to know of a cell, and what Jupyter lets a learner do with it."""
    worth = {} if points is None else {"points": points}
    role = {
        "grade": grade, "grade_id": grade_id, "locked": locked, "solution": solution, "task": False,
        "schema_version": SCHEMA, "cell_type": cell_type, **worth,
    }  # fmt: skip
    return {"nbgrader": role, "deletable": False} | ({"editable": False} if locked else {})


def _code(part: str, source: str, metadata: Cell, exercise: Exercise | None = None) -> Cell:
    blank: Cell = {"cell_type": "code", "execution_count": None, "outputs": []}
    return blank | {"id": _id(part, exercise), "metadata": metadata, "source": source}


def _markdown(part: str, source: str, exercise: Exercise | None = None, metadata: Cell | None = None) -> Cell:
    return {"cell_type": "markdown", "id": _id(part, exercise), "metadata": metadata or {}, "source": source}


def _id(part: str, exercise: Exercise | None) -> str:
    """The same in every build: ids drawn at random would make every generated file differ from the last."""
    return (f"{part}-{exercise.id}" if exercise else part)[:_LONGEST_ID]


def _in_lines(cell: Cell) -> Cell:
    return cell | {"source": cell["source"].splitlines(keepends=True)}
