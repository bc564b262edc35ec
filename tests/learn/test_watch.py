"""`headcount watch` in a real terminal. Nothing sleeps: each step waits for what a learner would read."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from tests.conftest import ROOT, Run
from tests.learn.conftest import ADDED, RIGHT, UPSIDE_DOWN, WRONG, answer, interrupt

KEYS = "n next   h hint   s show   r reveal   l list   q quit"
BOWLS = "def heaviest(scale, bowls):\n    return max(range(bowls), key=scale)\n"


def heed_interrupts() -> None:
    """In the child: a test run in the background has inherited that Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(course: Path, *arguments: str) -> pexpect.spawn:
    """A session in a terminal of its own."""
    child = pexpect.spawn(
        sys.executable, ["-m", "autograder", "watch", *arguments], cwd=course, encoding="utf-8", timeout=60,
        dimensions=(50, 100), preexec_fn=heed_interrupts,
    )  # fmt: skip
    child.delaybeforesend = None
    return child


@pytest.fixture
def watching(kitchen: Path) -> Iterator[pexpect.spawn]:
    """A session that has told its first verdict, about the untouched stub."""
    child = start(kitchen)
    child.expect_exact("is not written yet")
    child.expect_exact(KEYS)
    yield child
    child.close(force=True)


def ended(child: pexpect.spawn) -> int:
    """The exit status, once the program has left."""
    child.expect(pexpect.EOF)
    child.close()
    return int(child.exitstatus or 0)


def children(child: pexpect.spawn) -> list[int]:
    """The processes that the session has started."""
    listed = Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text()
    return [int(pid) for pid in listed.split()]


def test_from_a_wrong_answer_to_the_end(watching: pexpect.spawn, kitchen: Path) -> None:
    """Each save gets its verdict; a solved exercise leads on to the next, and the last one ends the session."""
    answer(kitchen, WRONG)
    watching.expect_exact("divide by written_for")
    watching.expect_exact(KEYS)
    answer(kitchen, RIGHT)
    watching.expect_exact("The 3 shown checks passed")
    watching.expect_exact("Solved. Next:")
    watching.expect_exact("exercises/k2_heaviest.py")
    watching.expect_exact("heaviest is not written yet")
    (kitchen / "exercises" / "k2_heaviest.py").write_text(BOWLS)
    watching.expect_exact("No other exercise is open")
    assert ended(watching) == 0


def test_keys(watching: pexpect.spawn, kitchen: Path) -> None:
    """h gives a hint and asks for a try, r says what is missing, l lists, n goes on, q quits."""
    watching.send("h")
    watching.expect_exact("Hint 1 of 3: How much flour")
    watching.send("h")
    watching.expect_exact("Give the last hint a try first")
    watching.send("r")
    watching.expect_exact("k1 can still be yours")
    watching.send("s")
    watching.expect_exact("k1 asks for no mask and no attention patterns")
    watching.send("a")
    watching.expect_exact(KEYS)
    watching.send("l")
    watching.expect_exact("About 7 min to go")
    watching.send("?")
    watching.expect_exact(KEYS)
    watching.send("n")
    watching.expect_exact("exercises/k2_heaviest.py")
    watching.send("q")
    watching.expect_exact("Until next time. `headcount watch k2` goes on from here.")  # the one at hand
    assert ended(watching) == 0


def test_a_quiz_is_answered_where_it_is_watched(tmp_path: Path, headcount: Run) -> None:
    """The first words say how; a asks the questions, and the keys are there again afterwards."""
    garden = shutil.copytree(ROOT / "tests" / "courses" / "garden", tmp_path / "garden")
    child = start(garden)
    child.expect_exact("headcount quiz g1   (one question at a time, here)")
    child.expect_exact("0 of 6 answers are right")
    child.expect_exact(f"a answer   {KEYS}")
    child.send("a")
    child.expect_exact("What turns the earth?")
    child.sendline("a spade")
    child.expect_exact("Right. ")
    child.expect_exact("Which of these are roots?")
    interrupt(child, "1 of 6 answers are right")
    child.expect_exact("area: is not answered yet.")  # the save was seen
    child.send("q")
    assert ended(child) == 0


def test_sentences(kitchen: Path) -> None:
    """--plain holds for everything that a session says."""
    child = start(kitchen, "--plain")
    child.expect_exact("k1_scale_recipe, Cook for more people: 0 of 3 shown checks passed.")
    child.expect_exact(KEYS)
    child.send("l")
    child.expect_exact("k2, The heaviest bowl: after k1. 2 points, 5 minutes.")
    child.send("q")
    assert ended(child) == 0


def test_the_picture_of_what_was_saved(tmp_path: Path) -> None:
    """s draws the mask that the file returns, from the workers that are ready."""
    for name in ("exercises", "solutions"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "course.yaml", tmp_path)
    (tmp_path / "exercises" / "a1_causal_mask.py").write_text(
        "import numpy as np\n\ndef causal_mask(T):\n    return np.triu(np.ones((T, T), dtype=bool))\n"
    )
    child = start(tmp_path)
    child.expect_exact("0 of 2 shown checks passed")
    child.expect_exact(KEYS)
    child.send("s")
    child.expect_exact("causal_mask(T=9)")
    child.expect_exact("□ □ □ □ □ □ □ □ ■")
    child.send("q")
    assert ended(child) == 0


def test_reveal_asks_once_more(watching: pexpect.spawn, kitchen: Path) -> None:
    """After three tries r asks; another key shows nothing, y does."""
    for text, says in ((WRONG, "divide by"), (UPSIDE_DOWN, "upside down"), (ADDED, "0 of 3")):
        answer(kitchen, text)
        watching.expect_exact(says)
        watching.expect_exact(KEYS)
    watching.send("r")
    watching.expect_exact("Press y to see it")
    watching.send("l")
    watching.expect("next; 3 tries; leads")
    watching.send("r")
    watching.expect_exact("Press y to see it")
    watching.send("y")
    watching.expect_exact("return amounts * guests / written_for")
    watching.send("l")
    watching.expect_exact("answer revealed")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def scale_recipe(:\n", "Python cannot read the file"),
        ("import os\ndef scale_recipe(a, b, c):\n    os.abort()\n", "SIGSEGV|SIGABRT"),
        ("while True: pass\n", "processor time"),
        ("", "scale_recipe is not defined in this file"),
    ],
    ids=["syntax error", "crash", "endless loop", "empty"],
)
def test_trouble_is_told_and_the_next_save_is_checked(
    watching: pexpect.spawn, kitchen: Path, text: str, says: str
) -> None:
    """Whatever becomes of one save, the session goes on."""
    answer(kitchen, text)
    watching.expect(says)
    answer(kitchen, RIGHT)
    watching.expect_exact("Solved. Next:")


def test_a_solved_exercise_can_be_played_with(kitchen: Path, headcount: Run) -> None:
    """Who comes back to a solved exercise is not sent on to the next one."""
    answer(kitchen, RIGHT)
    headcount("check", "k1", cwd=kitchen)
    child = start(kitchen, "k1")
    child.expect_exact("The 3 shown checks passed")
    child.expect_exact(KEYS)
    answer(kitchen, WRONG)
    child.expect_exact("divide by written_for")
    child.send("q")
    assert ended(child) == 0


def test_workers_that_were_killed_are_started_anew(watching: pexpect.spawn, kitchen: Path) -> None:
    """The loss of the zygote costs nobody a verdict."""
    (keeper,) = children(watching)
    os.kill(keeper, signal.SIGKILL)
    answer(kitchen, WRONG)
    watching.expect_exact("divide by written_for")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "kill"])
def test_stopping_leaves_nothing_behind(watching: pexpect.spawn, how: signal.Signals) -> None:
    """It ends with status 0 and no process left."""
    started = children(watching)
    assert started
    if how == signal.SIGINT:
        watching.sendintr()
    else:
        watching.kill(how)
    watching.expect_exact("Until next time")
    assert ended(watching) == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)


def test_a_killed_session_loses_no_progress(watching: pexpect.spawn, kitchen: Path, headcount: Run) -> None:
    """What was tried before a kill -9 is known afterwards, and the workers end by themselves."""
    started = children(watching)
    answer(kitchen, RIGHT)
    watching.expect_exact("Solved. Next:")
    handles = [os.pidfd_open(pid) for pid in started]
    watching.kill(signal.SIGKILL)
    for handle in handles:
        assert select.select([handle], [], [], 60)[0]  # readable once the process has ended
        os.close(handle)
    assert json.loads(headcount("list", "--json", cwd=kitchen).stdout)[0]["solved"] is True


def test_the_terminal_is_put_back(kitchen: Path) -> None:
    """After the session the terminal echoes again and gives whole lines."""
    program = "import subprocess, sys, termios; before = termios.tcgetattr(0);"
    program += "subprocess.run([sys.executable, '-m', 'autograder', 'watch']);"
    program += "print('same' if termios.tcgetattr(0) == before else 'different')"
    child = pexpect.spawn(sys.executable, ["-c", program], cwd=kitchen, encoding="utf-8", timeout=60)
    child.expect_exact("is not written yet")
    child.expect_exact(KEYS)
    child.send("q")
    child.expect("same|different")
    assert child.after == "same"
    assert ended(child) == 0


def test_without_a_terminal_it_only_watches(kitchen: Path) -> None:
    """No keys are offered, no colours sent, and an interrupt ends it with status 0."""
    with subprocess.Popen(
        [sys.executable, "-m", "autograder", "watch"], cwd=kitchen, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}, preexec_fn=heed_interrupts,
    ) as run:  # fmt: skip
        assert run.stdout is not None
        read = ""
        for line in run.stdout:
            read += line
            if "0 of 3 shown checks passed" in line:
                break
        run.send_signal(signal.SIGINT)
        read += run.stdout.read()
        assert run.wait(60) == 0
    assert "network folders work too" in read
    assert "q quit" not in read
    assert "\x1b" not in read
    assert read.endswith("Until next time. `headcount watch k1` goes on from here.\n")
