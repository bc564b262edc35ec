"""A quiz and a text on the page, and what a handout says of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.learn.conftest import WRONG
from tests.learn.page.conftest import COURSES, Browser, inside

Page = tuple[Browser, Path]
QUIZ, SHEET = "/exercise/g1", "exercises/g1_beds.yaml"
TEXT, CARD = "/exercise/p1", "exercises/p1_harbour.md"
TWELVE = "I am at the pier below the lighthouse until the boat comes."


@pytest.fixture
def garden(tmp_path: Path) -> Iterator[Page]:
    """The course about beds, with an untouched sheet."""
    yield from _opened(tmp_path, "garden")


@pytest.fixture
def postcards(tmp_path: Path) -> Iterator[Page]:
    """The course about postcards, with an empty card."""
    yield from _opened(tmp_path, "postcards")


def _opened(place: Path, name: str) -> Iterator[Page]:
    course = Path(shutil.copytree(COURSES / name, place / name))
    with inside(course) as browser:
        yield browser, course


def test_one_question_at_a_time(garden: Page, headcount: Run) -> None:
    """Each answer is explained and goes onto the sheet that the command reads; what is open comes next."""
    browser, course = garden
    assert "What turns the earth?" in browser.look(QUIZ).words
    assert "Which of these are roots?" not in browser.look(QUIZ).words
    spade = next(line.strip()[0] for line in (course / SHEET).read_text().splitlines() if "a spade" in line)
    answer = browser.press(QUIZ, "answer", answer=spade)
    assert "✓ Right" in answer.words
    assert f"{spade}: A spade turns it." in answer.words
    assert "1 of 6 answers are right" in answer.words
    assert f'answer: "{spade}"' in (course / SHEET).read_text()
    assert "Which of these are roots?" in browser.look(QUIZ).words
    assert "1 of 6 answers are right" in headcount("check", "g1", cwd=course).stdout
    assert json.loads((course / ".headcount/progress.json").read_text())["g1_beds"]["attempts"] == 2


def test_kinds_of_question(garden: Page) -> None:
    """Letters are taken, numbers typed; what cannot be read is said kindly and does not touch the sheet."""
    browser, course = garden
    letters = [
        line.strip()[0] for line in (course / SHEET).read_text().splitlines() if "carrot" in line or "beet" in line
    ]
    browser.look(f"{QUIZ}?question=roots")
    assert "✓ Right" in browser.press(QUIZ, "answer", answer=", ".join(letters)).words
    assert "~ Partly right" in browser.press(QUIZ, "answer", answer=letters[0]).words
    before = (course / SHEET).read_text()
    browser.look(f"{QUIZ}?question=area")
    for typed in ("many", "<script>alert(1)</script>", "9" * 500, "\u202e1", "__import__('os')"):
        answer = browser.press(QUIZ, "answer", answer=typed)
        assert 'class="note trouble"' in answer.html
        assert "<script>alert" not in answer.html
        assert (course / SHEET).read_text() == before
        assert browser.fields["answer"] == typed
    assert "✗ Not right" in browser.press(QUIZ, "answer", answer="1").words


def test_a_question_that_is_none(garden: Page) -> None:
    """A made up name leads to what is open, and an empty answer changes nothing."""
    browser, course = garden
    before = (course / SHEET).read_text()
    assert "What turns the earth?" in browser.look(f"{QUIZ}?question=../../course").words
    assert browser.press(QUIZ, "answer", answer="  ").status == 200
    assert browser.press(QUIZ, "answer", question="nothing", answer="a").status == 200
    assert (course / SHEET).read_text() == before


def test_a_sheet_that_is_broken(garden: Page) -> None:
    """It is shown as the file that it is, with what is wrong, and can be mended or put back here."""
    browser, course = garden
    whole = (course / SHEET).read_text()
    (course / SHEET).write_text("questions: [")
    assert "exercises/g1_beds.yaml:1:" in browser.look(QUIZ).words
    assert browser.fields["text"] == "questions: ["
    browser.press(QUIZ, "save", text=whole)
    assert "What turns the earth?" in browser.look(QUIZ).words
    (course / SHEET).write_bytes(b"\xff\xfe")
    browser.look(QUIZ)
    assert "is new again" in browser.press(QUIZ, "fresh").words
    assert (course / SHEET).read_text() == whole


def test_a_text(postcards: Page, headcount: Run) -> None:
    """It is counted, then compared with the rubric, and its learner's mark is noted as theirs."""
    browser, course = postcards
    head = (course / CARD).read_text()
    browser.look(TEXT)
    assert browser.fields["text"] == ""
    for button in ("check", "rubric", "mark"):
        answer = browser.press(TEXT, button, text="Too short.")
        assert ("rubric" in answer.html, "Say more, then check again." in answer.words) == (False, True)
    answer = browser.press(TEXT, "check", text=TWELVE)
    assert "12 words, as asked." in answer.words
    assert (course / CARD).read_text() == f"{head.rstrip()}\n\n{TWELVE}\n"
    assert ("rubric" in browser.buttons, "mark" in browser.buttons) == (True, False)
    assert "What earns the points" in browser.press(TEXT, "rubric").words
    assert 'value="1.5"' in browser.press(TEXT, "check", **{"points-place": "1.5"}).html, "Enter loses no mark"
    for wrong in ("", "much", "9", "-1", "nan", "inf"):
        assert "place: type a number from 0 to 2." in browser.press(TEXT, "mark", **{"points-place": wrong}).words
    told = browser.press(TEXT, "mark", **{"points-place": "1,5", "points-time": "1"}).words
    assert "Noted: you give yourself 2.5 of 3 points." in told
    assert "self-marked 2.5" in headcount("list", cwd=course).stdout


def test_a_hostile_text(postcards: Page) -> None:
    """Whatever somebody writes stays text, also where the line above it was taken away."""
    browser, course = postcards
    hostile = "</textarea><script>alert(1)</script> " + "word " * 12
    browser.look(TEXT)
    assert "<script>alert" not in browser.press(TEXT, "check", text=hostile).html
    assert browser.fields["text"] == hostile
    (course / CARD).write_text(hostile)
    browser.look(TEXT)
    assert browser.fields["text"] == hostile.strip()


@pytest.fixture
def handouts(tmp_path: Path) -> Path:
    """All three small courses as a class gets them, in a folder."""
    for name in ("kitchen", "garden", "postcards"):
        course = Path(shutil.copytree(COURSES / name, tmp_path / name))
        if name != "kitchen":  # whose keys a release has to compile
            shutil.rmtree(course / "solutions")
            (course / "course.yaml").write_text("released: true\n" + (course / "course.yaml").read_text())
    return tmp_path


def test_handouts(handouts: Path, headcount: Run) -> None:
    """Code is checked, the model answer is with the instructor, a sheet and a text are written and marked elsewhere."""
    assert headcount("release", handouts / "class", cwd=handouts / "kitchen").returncode == 0
    with inside(handouts / "class") as browser:
        assert "Scale a recipe" in browser.look("/exercise/k1").words
        assert "shown checks passed" in browser.press("/exercise/k1", "check", text=WRONG).words
        assert "Your instructor keeps the solutions" in browser.press("/exercise/k1", "reveal").words
        assert "copy it from where your course came from" in browser.press("/exercise/k1", "fresh").words
    with inside(handouts / "garden") as browser:
        assert "the answers are with your instructor" in browser.look(QUIZ).words
        typed = browser.fields["text"].replace("answer:", 'answer: "a"', 1)
        browser.press(QUIZ, "save", text=typed)
        assert (handouts / "garden" / SHEET).read_text() == typed
    with inside(handouts / "postcards") as browser:
        browser.look(TEXT)
        assert "can only be marked where the course is graded" in browser.press(TEXT, "check", text=TWELVE).words
        assert (handouts / "postcards" / CARD).read_text().endswith(f"\n\n{TWELVE}\n")
        assert "can only be marked" in browser.press(TEXT, "mark").words
