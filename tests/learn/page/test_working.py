"""An exercise on the page: saved, checked, helped with, by the rules and in the words of the command line."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.learn.conftest import ADDED, RIGHT, STUB, UPSIDE_DOWN, WRONG
from tests.learn.page.conftest import Browser

Page = tuple[Browser, Path]
K1 = "/exercise/k1"
SLEEPS = "import time\ndef scale_recipe(amounts, written_for, guests):\n    time.sleep(600)\n"
HOSTILE = '</textarea><script>alert("&amp;")</script>\n'


def progress(course: Path) -> dict[str, object]:
    """What the learner's own file says of the exercise."""
    found: dict[str, object] = json.loads((course / ".headcount/progress.json").read_text())["k1_scale_recipe"]
    return found


def test_a_wrong_answer(page: Page, headcount: Run) -> None:
    """It is saved in the very file, and what is said of it is what the command says; both count it once."""
    browser, course = page
    browser.look(K1)
    answer = browser.press(K1, "check", text=WRONG)
    assert (course / STUB).read_text() == WRONG
    assert progress(course)["attempts"] == 1
    told = headcount("check", "k1", cwd=course).stdout
    message = " ".join(told.split("\n\n")[1].split())
    assert message in answer.words
    assert "0 of 3 shown checks passed." in answer.words
    assert (progress(course)["attempts"], len(progress(course)["tries"])) == (2, 1)  # type: ignore[arg-type]


def test_a_right_answer_leads_on(page: Page, headcount: Run) -> None:
    """The checks say what holds, the map moves, and the next exercise is one step away."""
    browser, course = page
    browser.look(K1)
    answer = browser.press(K1, "check", text=RIGHT)
    assert "The 3 shown checks passed" in answer.words
    assert '<a class="button first" id="next" href="/exercise/k2">' in answer.html
    assert "1 of 2 exercises solved, 3 of 5 points" in answer.words
    assert "1 of 2 exercises solved" in headcount("list", cwd=course).stdout
    assert "The 3 shown checks passed" in browser.look(K1).words, "a reload forgets nothing"
    browser.press(K1, "save", text=WRONG)
    assert "shown checks passed" not in browser.look(K1).words, "that was said of another file"


def test_what_a_file_says_is_text(page: Page) -> None:
    """Prints, exceptions and the file itself may hold markup; none of it becomes part of the page."""
    browser, course = page
    browser.look(K1)
    source = f"def scale_recipe(*_):\n    '''{HOSTILE}'''\n    print({HOSTILE!r})\n    raise ValueError({HOSTILE!r})\n"
    answer = browser.press(K1, "check", text=source)
    assert "<script>alert" not in answer.html
    assert answer.html.count("&lt;script&gt;alert(&#34;&amp;amp;&#34;)") >= 3
    assert "ValueError" in answer.words
    assert browser.fields["text"] == source == (course / STUB).read_text()


def test_hints_by_the_same_rule(page: Page, headcount: Run) -> None:
    """One is free, the next comes after another try, on the page and on the command line alike."""
    browser, course = page
    browser.look(K1)
    assert "Hint 1 of 3 How much flour" in browser.press(K1, "hint").words
    refused = browser.press(K1, "hint").words
    assert "Give the last hint a try first" in refused
    assert "Hint 2 of 3 " not in refused
    browser.press(K1, "check", text=WRONG)
    assert "Hint 2 of 3: Divide by" in headcount("hint", "k1", cwd=course).stdout
    assert "Hint 1 of 3 How much flour does one person get? Hint 2 of 3 Divide by" in browser.look(K1).words


def test_asking_for_a_hint_saves_nothing_and_loses_nothing(page: Page) -> None:
    """What is written and not saved comes back as it was."""
    browser, course = page
    before = browser.look(K1) and browser.fields["text"]
    answer = browser.press(K1, "hint", text="half a thought")
    assert (browser.fields["text"], (course / STUB).read_text()) == ("half a thought", before)
    assert 'data-saved="no"' in answer.html


def test_the_model_answer_by_the_same_rule(page: Page) -> None:
    """After three tries and a yes, noted as revealed; once solved, for comparison."""
    browser, course = page
    browser.look(K1)
    assert (
        "the model answer is shown once it is solved, or after 3 different tries" in browser.press(K1, "reveal").words
    )
    assert "3 to go" in browser.press(K1, "yes").words
    for source in (WRONG, UPSIDE_DOWN, ADDED):
        browser.press(K1, "check", text=source)
    asked = browser.press(K1, "reveal")
    assert "It will be noted as revealed." in asked.words
    assert ("The model answer. Read it" in asked.words, progress(course)["revealed"]) == (False, False)
    assert "The model answer. Read it, then write it yourself." in browser.press(K1, "yes").words
    assert progress(course)["revealed"] is True
    browser.press(K1, "check", text=RIGHT)
    assert "One right answer, for comparison." in browser.press(K1, "reveal").words


def test_a_file_that_was_changed_elsewhere(page: Page) -> None:
    """Nothing is overwritten; either text can be taken, and the other one is kept beside it."""
    browser, course = page
    for choice, taken, kept in (("mine", "mine\n", "theirs\n"), ("theirs", "theirs\n", "mine\n")):
        browser.look(K1)
        (course / STUB).write_text("theirs\n")
        answer = browser.press(K1, "check", text="mine\n")
        assert "Not saved. exercises/k1_scale_recipe.py was changed elsewhere" in answer.words
        assert ((course / STUB).read_text(), browser.fields["text"]) == ("theirs\n", "mine\n")
        answer = browser.press(K1, choice)
        number = 1 if choice == "mine" else 2
        assert f"is kept as exercises/k1_scale_recipe.py.{number}." in answer.words
        assert ((course / STUB).read_text(), browser.fields["text"]) == (taken, taken)
        assert (course / f"{STUB}.{number}").read_text() == kept


def test_changed_again_while_choosing(page: Page) -> None:
    """The choice was made for another file, so it is asked once more."""
    browser, course = page
    browser.look(K1)
    (course / STUB).write_text("theirs\n")
    browser.press(K1, "save", text="mine\n")
    (course / STUB).write_text("theirs, later\n")
    assert "Not saved." in browser.press(K1, "mine").words
    assert (course / STUB).read_text() == "theirs, later\n"


def test_two_windows(page: Page) -> None:
    """A window may save twice in a row, however late it hears of the first; another window's text is in the way."""
    browser, course = page
    browser.look(K1)
    first = dict(browser.fields)
    browser.look(K1)
    second = dict(browser.fields)
    assert first["version"] == second["version"]
    for text in ("one\n", "two\n"):
        browser.fields = dict(first)
        assert "Not saved." not in browser.press(K1, "save", text=text).words
    browser.fields = second
    assert "Not saved." in browser.press(K1, "save", text="three\n").words
    assert (course / STUB).read_text() == "two\n"


def test_a_missing_file(page: Page) -> None:
    """One sentence, and the stub can be put back; what was written meanwhile is no loss."""
    browser, course = page
    stub = (course / STUB).read_text()
    browser.look(K1)
    (course / STUB).unlink()
    assert (
        "exercises/k1_scale_recipe.py is not there. It was there when"
        in browser.press(K1, "check", text="mine\n").words
    )
    assert not (course / STUB).exists()
    browser.press(K1, "mine")
    assert (course / STUB).read_text() == "mine\n"
    (course / STUB).unlink()
    assert "exercises/k1_scale_recipe.py is not there." in browser.look(K1).words
    assert "is new again" in browser.press(K1, "fresh").words
    assert browser.fields["text"] == (course / STUB).read_text() == stub


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\xff\xfed\0e\0f\0", "is UTF-16 text"), (b"x = '\xe9'\n", "0xe9"), (b"x" * 300_000, "larger than 256 kB")],
    ids=["utf-16", "latin-1", "large"],
)  # fmt: skip
def test_a_file_that_is_no_text(page: Page, content: bytes, said: str) -> None:
    """It is said why, and no button takes it for an empty one."""
    browser, course = page
    (course / STUB).write_bytes(content)
    assert said in browser.look(K1).words
    for button in ("save", "check", "show"):
        browser.press(K1, button, text="mine")
        assert (course / STUB).read_bytes() == content
    assert "is new again. Your attempt is kept as exercises/k1_scale_recipe.py.1" in browser.press(K1, "fresh").words
    assert (course / f"{STUB}.1").read_bytes() == content


@pytest.mark.parametrize(
    "source", ["", "\n\n", "def scale_recipe(amounts", "x = " + "(" * 500, "# \x07 \u2028 \u202e\n"]
)
def test_odd_files(page: Page, source: str) -> None:
    """An emptied or broken file is judged as on the command line, and comes back as it was."""
    browser, course = page
    browser.look(K1)
    answer = browser.press(K1, "check", text=source)
    assert (answer.status, browser.fields["text"]) == (200, source)
    assert (course / STUB).read_text() == source
    assert "shown checks passed." in answer.words or "Nothing could be checked." in answer.words


@pytest.mark.parametrize(("text", "said"), [("x = 1\0", "has a null at"), ("x" * 300_000, "larger than 256 kB")])
def test_what_could_not_be_read_again(page: Page, text: str, said: str) -> None:
    """It is not saved, it is said why, and it is still there."""
    browser, course = page
    browser.look(K1)
    before = (course / STUB).read_bytes()
    assert said in browser.press(K1, "check", text=text).words
    assert ((course / STUB).read_bytes(), browser.fields["text"]) == (before, text)


def test_line_ends_and_marks_stay(page: Page) -> None:
    """A file from another system keeps its line ends and its mark; what is not changed is not written."""
    browser, course = page
    (course / STUB).write_bytes(b"\xef\xbb\xbfx = 1\r\n")
    browser.look(K1)
    assert browser.fields["text"] == "x = 1\n"
    browser.press(K1, "save", text="x = 1\r\n")
    written = (course / STUB).stat()
    browser.press(K1, "save", text="x = 1\r\ny = 2\r\n")
    assert (course / STUB).read_bytes() == b"\xef\xbb\xbfx = 1\r\ny = 2\r\n"
    assert (course / STUB).stat().st_ino != written.st_ino


def test_a_check_that_takes_long_can_be_stopped(page: Page) -> None:
    """Other pages are answered meanwhile; the file is saved, and no try is counted."""
    browser, course = page
    browser.look(K1)
    said: list[str] = []
    window = Browser(browser.address, browser.cookie, dict(browser.fields))
    check = threading.Thread(target=lambda: said.append(window.press(K1, "check", text=SLEEPS).words))
    check.start()
    while check.is_alive():
        assert browser.look("/").status == 200
        assert browser.ask("POST", "/stop/k1", b"", origin=f"http://{browser.host}").status == 204
        check.join(0.1)
    assert "Stopped. This was saved and not judged." in said[0]
    assert (course / STUB).read_text() == SLEEPS
    assert not (course / ".headcount/progress.json").exists()
    assert "The 3 shown checks passed" in window.press(K1, "check", text=RIGHT).words, "the next one finds workers"


def test_a_newer_save_takes_the_place_of_an_older_one(page: Page) -> None:
    """Nobody waits for the verdict of a text that is there no more."""
    browser, course = page
    browser.look(K1)
    said: list[str] = []
    window = Browser(browser.address, browser.cookie, dict(browser.fields))
    older = threading.Thread(target=lambda: said.append(window.press(K1, "check", text=SLEEPS).words))
    older.start()
    while (course / STUB).read_text() != SLEEPS:
        older.join(0.05)
    assert "The 3 shown checks passed" in browser.press(K1, "check", text=RIGHT).words
    older.join()
    assert "A newer save took the place of this one." in said[0]
    assert (course / STUB).read_text() == RIGHT
