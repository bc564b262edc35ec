"""The lessons cannot drift: their sessions are replayed, their pictures drawn anew, their numbers looked up."""

from __future__ import annotations

import doctest
import importlib.util
import re
import sys
from pathlib import Path

import pytest

from autograder.course.load import load_course
from docs.lessons import taught, write
from tests.conftest import ROOT

COURSE = load_course(ROOT)
LESSONS = ROOT / "docs" / "lessons"
PAGES = [LESSONS / taught.page(COURSE, stage.letter) for stage in COURSE.stages]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Numbers that nobody knows by heart: with a decimal point, with thousands, or of three digits and more.
NUMBER = re.compile(r"\d+(?:[,_]\d{3})+|\d+\.\d+|\d{3,}")
EXERCISE = re.compile(r"`headcount (?:check|quiz) (\w+)`")

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@pytest.fixture
def own_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """`from exercises.b2_split_heads import split_heads` gives what a learner has written in the end."""
    monkeypatch.chdir(ROOT)
    for exercise in COURSE.exercises:
        path = ROOT / "solutions" / exercise.id / "solution.py"
        if path.exists():
            name = f"exercises.{exercise.id}"
            spec = importlib.util.spec_from_file_location(name, path)
            assert spec
            assert spec.loader
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            monkeypatch.setitem(sys.modules, name, module)


def session(page: str) -> str:
    """The code blocks of a page, on the lines where they stand."""
    kept, end = "", 0
    for block in BLOCK.finditer(page):
        kept += "\n" * page.count("\n", end, block.start(1)) + block[1]
        end = block.end(1)
    return kept


@pytest.mark.slow
@pytest.mark.usefixtures("own_answers")
@pages
def test_every_session_prints_what_the_page_says(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Typed in from the top, with one's own answers in place, each page shows these numbers and no others."""
    test = doctest.DocTestParser().get_doctest(session(page.read_text("utf-8")), {}, page.name, str(page), 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    failed = runner.run(test).failed
    assert not failed, capsys.readouterr().out


@pages
def test_numbers_in_the_text_stand_in_a_session(page: Path) -> None:
    """What the sentences of a page quote was printed, or typed, in one of its blocks."""
    text = page.read_text("utf-8")
    told, shown = (
        {number.replace(",", "").replace("_", "") for number in NUMBER.findall(part)}
        for part in (BLOCK.sub("", text), session(text))
    )
    assert told <= shown


@pages
def test_every_exercise_is_introduced_in_its_order(page: Path) -> None:
    """A page names the command of each exercise of its stage, in the order of the course."""
    letter = page.name[0].upper()
    told = EXERCISE.findall(page.read_text("utf-8"))
    there = [each.short for each in COURSE.exercises if each.stage == letter]
    assert [short for short in told if short in there] == there


@pytest.mark.slow
def test_what_is_generated_is_up_to_date() -> None:
    """Pictures and the table of what is taught where are those that `python -m docs.lessons.write` makes."""
    stale = [path.name for path, text in write.written().items() if path.read_text("utf-8") != text]
    assert not stale, "run python -m docs.lessons.write"


def test_every_passage_is_taught_and_graded() -> None:
    """Each passage of the source lessons has an exercise, or a page that tells it; and no exercise stands outside."""
    for source, passages in taught.SOURCES.items():
        covered = {line for each in passages for line in range(each.first, each.last + 1)}
        for passage in passages:
            assert passage.graded_by(COURSE, source) or passage.told_in, passage
        for exercise in COURSE.exercises:
            assert set(exercise.seeds.get(source, ())) <= covered, exercise.id


def test_links_and_pictures_exist() -> None:
    """Whatever a page links to is there, each picture is shown somewhere and says in words what it shows."""
    shown = set()
    for page in [LESSONS / "README.md", *PAGES]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            assert (LESSONS / target).exists(), f"{page.name}: {target}"
            shown.add(Path(target).name)
    assert shown >= {page.name for page in PAGES}
    for picture in (LESSONS / "pictures").glob("*.svg"):
        assert picture.name in shown
        text = picture.read_text("utf-8")
        assert all(re.search(rf"<{part}>[^<]+</{part}>", text) for part in ("title", "desc"))
