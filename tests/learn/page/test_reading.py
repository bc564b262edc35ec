"""Lessons and tasks as a page shows them: all of the course can be read, and nothing in it is taken for markup."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from autograder.blank import blank
from autograder.course.load import load_course
from autograder.learn.page.coded import coded
from autograder.learn.page.columns import columns
from autograder.learn.page.lessons import lesson_html, picture, task_html
from tests.conftest import KITCHEN, ROOT

COURSE = load_course(ROOT)
CODE = [exercise for exercise in COURSE.exercises if exercise.kind == "code"]


@pytest.mark.parametrize("stage", COURSE.stages, ids=lambda stage: stage.letter)
def test_every_lesson_can_be_read(stage) -> None:  # type: ignore[no-untyped-def]
    """Its pictures are there, its links lead to pages of ours, and it has no heading above those of the page."""
    html = lesson_html(COURSE, stage)
    assert f"{stage.letter}. {stage.title}" in html
    for source in re.findall(r'<img src="([^"]*)"', html):
        assert source.startswith("/pictures/")
        assert (picture(COURSE, source.removeprefix("/pictures/")) or b"").startswith(b"<svg")
    for target in re.findall(r'<a href="([^"]*)"', html):
        assert re.fullmatch(r"/lesson/[a-g](#.*)?|/exercise/[a-g]\d|/|https?://.*", target)
    for exercise in COURSE.exercises:
        if exercise.stage == stage.letter:
            assert f'href="/exercise/{exercise.short}"' in html
    assert "<h1" not in html


@pytest.mark.parametrize("exercise", CODE, ids=lambda exercise: exercise.id)
def test_every_task_can_be_read(exercise) -> None:  # type: ignore[no-untyped-def]
    """All words of the lesson at the top of a stub are there, under its headings."""
    html = task_html(COURSE, exercise, "")
    stub = blank(COURSE, exercise)
    for heading in re.findall(r"^([A-Z]\w+)$", stub.partition('"""')[2].partition('"""')[0], re.MULTILINE):
        assert f"<h4>{heading}</h4>" in html
    assert "&gt;&gt;&gt;" in html
    assert "<td></td><td></td>" not in html


@pytest.mark.parametrize(
    "source", ['"""<b>K1</b>\n\n<script>x</script> [x](javascript:x) ![x](//evil/x.svg)"""', "def ("]
)
def test_a_lesson_is_text(tmp_path: Path, source: str) -> None:
    """In a handout it comes from the learner's own file, which may hold anything, or not be Python."""
    folder = Path(shutil.copytree(KITCHEN, tmp_path / "kitchen", ignore=shutil.ignore_patterns("solutions")))
    course = load_course(folder)
    html = task_html(course, course.exercises[0], source)
    assert not re.search(r"<script|<b>|javascript:x\"|src=\"//", html)


@pytest.mark.parametrize(
    ("block", "rows"),
    [
        ("x   (B, T)  words\nyy  (T)     more\n", [["x", "(B, T)", "words"], ["yy", "(T)", "more"]]),
        ("x   words that\n    go on\ny   more\n", [["x", "words that go on"], ["y", "more"]]),
        ("a     int   one\nlong  (3,4) two\n", [["a", "int", "one"], ["long", "(3,4)", "two"]]),
        ("x  (B, T, C)  words\ny  (B, T, C)\n", [["x", "(B, T, C)", "words"], ["y", "(B, T, C)", ""]]),
        ("one line  of text\n", None),
        ("prose without\ncolumns\n", None),
        ("head  0  1  2\nkey   0  0  1\n", None),
        ("a   0 1 | 2 3    C = 4\nb    0  |  1\n", None),
        ("  a  b\n  c  d\n", None),
    ],
)
def test_columns(block: str, rows: list[list[str]] | None) -> None:
    """Two or three columns that all lines share are a table; drawings and prose stay as they are."""
    assert columns(block) == rows


def test_sentences_keep_their_code() -> None:
    """What stands between backticks is code; all else, and what is in it, is text."""
    assert coded("use `a < b`, not <b>") == "use <code>a &lt; b</code>, not &lt;b&gt;"
