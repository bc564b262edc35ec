"""The notebooks of the course: what is in them, and that they are what Jupyter and nbgrader can read."""

from __future__ import annotations

import json
import shutil
import textwrap
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring import books
from autograder.course.load import load_course
from autograder.notebooks import build
from autograder.notebooks.markdown import lesson, paragraphs, prose
from tests.conftest import ROOT, Run

NOTEBOOKS = sorted((ROOT / "exercises" / "notebooks").glob("*.ipynb"))


def cells(path: Path) -> list[dict[str, Any]]:
    """The cells of a notebook file."""
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return found


def test_every_exercise_has_its_cell_and_its_points() -> None:
    """One cell to answer in, called like the exercise, and the points of course.yaml on what checks it."""
    course = load_course(ROOT)
    roles = [cell["metadata"]["nbgrader"] for path in NOTEBOOKS for cell in cells(path) if cell["metadata"]]
    answered = [role["grade_id"] for role in roles if role["solution"]]
    assert sorted(answered) == sorted(exercise.id for exercise in course.exercises)
    points = {role["grade_id"].removesuffix("-check"): role["points"] for role in roles if role["grade"]}
    assert points == {exercise.id: exercise.points for exercise in course.exercises}


def test_no_line_of_an_answer_is_in_them() -> None:
    """The cells are the stubs."""
    for path in NOTEBOOKS:
        for cell in cells(path):
            name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
            stub = ROOT / "exercises" / f"{name}.py"
            if stub.is_file():
                assert "".join(cell["source"]) in stub.read_text("utf-8")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_jupyter_and_nbgrader_can_read_them(path: Path) -> None:
    """Valid format 4.5 and valid metadata of schema 3."""
    nbformat = pytest.importorskip("nbformat")
    validator = pytest.importorskip("nbgrader.nbgraderformat").MetadataValidator()
    book = nbformat.read(path, 4)
    nbformat.validate(book)
    validator.validate_nb(book)
    assert {cell.metadata.nbgrader.schema_version for cell in book.cells if "nbgrader" in cell.metadata} == {3}


def test_a_name_that_the_notebook_uses_itself() -> None:
    """Where learners define `check`, the notebook calls its own by another name."""
    course = load_course(ROOT)
    (stage,) = {exercise.stage for exercise in course.exercises if "check" in exercise.defines}
    (book,) = [book for book in build(course) if book.stage.letter == stage]
    sources = [cell["source"] for cell in book.cells if cell["cell_type"] == "code"]
    assert sources[0].endswith("import check as headcount_check")
    assert all(source.startswith("headcount_check(") for source in sources if source.startswith(("check(", "headc")))


def test_own_numbers_stay_on_own_sheets(tmp_path: Path) -> None:
    """A quiz with numbers for each learner cannot be in a notebook that everybody gets; it says where it is."""
    garden = Path(shutil.copytree(ROOT / "tests" / "courses" / "garden", tmp_path / "garden"))
    (book,) = build(load_course(garden))
    assert "answer your own sheet, `g1_beds.yaml`" in book.cells[-1]["source"]


def test_verify_finds_stale_notebooks(kitchen: Path, headcount: Run) -> None:
    """Missing, differing and left-over ones, in courses that have notebooks; --fix writes what is to be written."""
    place = kitchen / "exercises" / "notebooks"
    course = load_course(kitchen)
    assert list(books.drift(course, course.exercises)) == []
    place.mkdir()
    (path,) = list(books.write(course, course.exercises))
    assert list(books.drift(course, course.exercises)) == []
    written = path.read_bytes()
    path.write_bytes(written.replace(b"Cook for more", b"Cook for less"))
    (place / "old.ipynb").write_text("{}")
    run = headcount("verify", cwd=kitchen)
    assert run.returncode == 1
    assert "k_kitchen.ipynb: differs from what course.yaml and solutions/ give" in run.stdout
    assert "old.ipynb: is the notebook of no stage" in run.stdout
    path.unlink()
    run = headcount("verify", "k1", "--fix", cwd=kitchen)
    assert run.returncode == 0, run.stdout
    assert path.read_bytes() == written


def test_a_handout_has_them(kitchen: Path, headcount: Run) -> None:
    """Built anew like the stubs, where the course has notebooks."""
    (kitchen / "exercises" / "notebooks").mkdir()
    run = headcount("release", kitchen / "out", cwd=kitchen)
    assert run.returncode == 0, run.stderr
    (book,) = build(load_course(kitchen))
    assert (kitchen / "out" / "exercises" / "notebooks" / "k_kitchen.ipynb").read_text("utf-8") == book.text


def test_lessons_become_markdown() -> None:
    """Headings and paragraphs are set as such; columns, examples and what would be markup stay as written."""
    written = "x    (B, T)\ny    (B,)\n\nSo x * y < 2**3 and `a_b` too.\n\n>>> 1\n1"
    told = lesson(f"Title line\n\nShapes\n{textwrap.indent(written, '    ')}")
    assert told == (
        "Title line\n\n### Shapes\n\n```text\nx    (B, T)\ny    (B,)\n```\n\n"
        "So x \\* y \\< 2\\*\\*3 and `a_b` too.\n\n```python\n>>> 1\n1\n```"
    )
    assert prose("W_q *is* $1 <b>") == "W\\_q \\*is\\* \\$1 \\<b>"
    assert list(paragraphs("one\ntwo\n\n  0 1\n    2 3")) == ["one\ntwo", "```text\n0 1\n  2 3\n```"]
