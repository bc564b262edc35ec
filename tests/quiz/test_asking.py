"""`headcount quiz`: question by question, onto the sheet that can also be edited by hand."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from autograder.quiz.draw import DEFAULT, Quiz
from autograder.quiz.fill import typed
from autograder.quiz.read import read_sheet
from autograder.quiz.sheet import sheet
from autograder.report.question import draw_question
from tests.conftest import Run
from tests.learn.conftest import interrupt

G1 = "exercises/g1_beds.yaml"


def answering(course: Path, said: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command with these lines typed into it."""
    command = [sys.executable, "-m", "autograder", "quiz", *arguments]
    return subprocess.run(command, cwd=course, input=said, capture_output=True, text=True, check=False, timeout=120)


def on_sheet(course: Path) -> dict[str, str]:
    """The answers that stand on the sheet."""
    return typed(read_sheet((course / G1).read_text("utf-8"), "g1_beds"))


def models(quiz: Quiz) -> dict[str, str]:
    """What a perfect learner types."""
    return {name: question.model for name, question in quiz.draw(DEFAULT).items()}


def record(headcount: Run, course: Path) -> dict[str, Any]:
    """What is remembered of the quiz."""
    listed: list[dict[str, Any]] = json.loads(headcount("list", "--json", cwd=course).stdout)
    return listed[0]


def test_all_right(garden: Path, headcount: Run, quiz: Quiz) -> None:
    """Each answer is explained; the quiz is solved, and the sheet is the one that `check` marks."""
    run = answering(garden, "\n".join(models(quiz).values()) + "\n")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("✓ Right.") == 6
    assert "A spade turns it." in run.stdout
    assert "6 of 6 answers are right: 6 of 6 points." in run.stdout
    assert (garden / G1).read_text("utf-8") == sheet(quiz, DEFAULT, models(quiz))
    assert record(headcount, garden)["solved"] is True
    assert headcount("check", "g1", cwd=garden).returncode == 0


def test_indented_lines_of_the_lesson_stay_lines(garden: Path) -> None:
    """What an author set as code, line by line, is no paragraph to be filled."""
    path = garden / "solutions" / "g1_beds" / "quiz.py"
    told, source = "It says when.\n    area = a * b\n    when = 4\nAnd that is\nall.", path.read_text("utf-8")
    path.write_text(source.replace("its seasons say when.", told, 1), "utf-8")
    said = answering(garden, "").stdout
    assert "when.\n    area = a * b\n    when = 4\nAnd that is all.\n" in said


def test_wrong_ones_come_again(garden: Path, quiz: Quiz) -> None:
    """A wrong answer is explained and kept; the next time only what is not right is asked."""
    right = models(quiz)
    wrong = right | {"tool": "a sieve", "roots": "carrot"}
    run = answering(garden, "\n".join(wrong.values()) + "\n")
    assert run.returncode == 1
    assert "✗ Not right." in run.stdout
    assert "~ Partly right." in run.stdout
    assert "4 of 6 answers are right: 4.5 of 6 points." in run.stdout
    again = answering(garden, f"{right['tool']}\n{right['roots']}\n", "g1")
    assert again.returncode == 0
    assert again.stdout.count("Question ") == 2
    assert "So far: a sieve" in again.stdout
    assert "its seasons say when." in again.stdout, "the questions lean on the lesson, the second time too"
    assert answering(garden, "").stdout.rstrip().endswith("Every answer is right.")


def test_what_cannot_be_read_is_asked_once_more(garden: Path, quiz: Quiz) -> None:
    """Nothing goes onto the sheet before it is an answer; Enter puts a question off."""
    run = answering(garden, f"zzz\n{'9' * 500}\n\n\n12,5\n")
    assert "'zzz' names none of the choices" in run.stdout
    assert "500 characters are far too many" in run.stdout
    assert "type 12.5 for a decimal" in run.stdout
    assert on_sheet(garden) == {}
    assert "0 of 6 answers are right" in run.stdout


def test_answers_by_hand_are_not_asked(garden: Path, quiz: Quiz) -> None:
    """What stands on the sheet is an answer, however it came there; the own numbers of the sheet are asked."""
    (garden / G1).write_text(sheet(quiz, "ada", {"tool": "a spade"}), "utf-8")
    run = answering(garden, "")
    assert "What turns the earth?" not in run.stdout
    assert quiz.draw("ada")["area"].model != quiz.draw(DEFAULT)["area"].model
    answering(garden, f"\n{quiz.draw('ada')['area'].model}\n")
    assert on_sheet(garden) == {"tool": "a spade", "area": quiz.draw("ada")["area"].model}


def test_a_missing_sheet_is_made(garden: Path) -> None:
    """The sheet comes from the course again."""
    (garden / G1).unlink()
    answering(garden, "b\n")
    assert on_sheet(garden) == {"tool": "b"}


def test_in_sentences(garden: Path, quiz: Quiz) -> None:
    """--plain uses words where the screen has signs."""
    run = answering(garden, "a spade\na sieve\n", "--plain")
    assert "\nAnswer: Right. " in run.stdout
    assert run.stdout.isascii()


@pytest.mark.parametrize(
    ("text", "said"),
    [("]", "g1_beds.yaml:1"), ("", "is empty"), ("exercise: other\nquestions: {}\n", "this is the sheet of 'other'")],
)
def test_a_file_that_is_no_sheet(garden: Path, text: str, said: str) -> None:
    """One line says what is wrong and what gives a fresh one; the file stays."""
    (garden / G1).write_text(text)
    run = answering(garden, "b\n")
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr
    assert "`headcount reset g1`" in run.stderr
    assert (garden / G1).read_text() == text


def test_not_utf8(garden: Path) -> None:
    """A sheet in another encoding is refused like any other file."""
    (garden / G1).write_bytes(b"exercise: g1_beds # \xfc\nquestions: {}\n")
    run = answering(garden, "b\n")
    assert (run.returncode, "0xfc" in run.stderr) == (2, True)


def test_what_is_no_quiz(kitchen: Path, headcount: Run) -> None:
    """Code is not answered question by question."""
    run = headcount("quiz", "k1", cwd=kitchen)
    assert (run.returncode, run.stderr) == (2, "k1 is no quiz. Quizzes of this course: none.\n")


@pytest.fixture
def child(garden: Path) -> pexpect.spawn:
    """The first question, in a terminal."""
    child = pexpect.spawn(
        sys.executable, ["-m", "autograder", "quiz"], cwd=garden, encoding="utf-8", timeout=60,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    child.delaybeforesend = None
    child.expect_exact("Answer: ")
    return child


@pytest.mark.parametrize("how", ["Ctrl-C", "Ctrl-D", "kill -9"])
def test_nothing_is_lost(child: pexpect.spawn, garden: Path, how: str) -> None:
    """What was answered before the end is on the sheet, and the next session goes on behind it."""
    child.sendline("a spade")
    child.expect_exact("Right. ")
    child.expect_exact("Answer: ")
    match how:
        case "Ctrl-C":
            interrupt(child, "1 of 6 answers are right: 1 of 6 points.")
        case "Ctrl-D":
            child.sendeof()
            child.expect(r"`headcount quiz g1`\s+goes on from here.")
        case _:
            child.kill(signal.SIGKILL)
    child.expect(pexpect.EOF)
    child.close()
    assert on_sheet(garden) == {"tool": "a spade"}
    assert "Question 2 of 6" in answering(garden, "").stdout


def test_a_question_fills_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that was filled for the sheet is filled anew; what its author indented stays as it is."""
    monkeypatch.setenv("COLUMNS", "24")
    told = draw_question("1", "one two three four five six\nseven eight\n\n  code  stays\nand so on", (), "a word")
    assert told.splitlines() == [
        "1", "", "one two three four five", "six seven eight", "", "  code  stays", "and so on", "", "Type a word.",
    ]  # fmt: skip
