"""A newcomer's first evening, in a terminal: no step, and no kill -9 in between, loses anything."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.conftest import ROOT, Run
from tests.learn.conftest import interrupt
from tests.learn.test_session import steps

A1, A2 = "exercises/a1_causal_mask.py", "exercises/a2_attention_weights.py"
STRICT = "import numpy as np\n\ndef causal_mask(T):\n    return np.tril(np.ones((T, T), dtype=bool), k=-1)\n"
COLUMNS = "import numpy as np\n\ndef attention_weights(scores, may_look):\n    return {0}\n"


class Evening:
    """One learner's folder, their terminal, and what was remembered after the step before."""

    def __init__(self, folder: Path, headcount: Run) -> None:
        self.folder, self.headcount = folder, headcount
        self.known: dict[str, Any] = {}

    def terminal(self, *arguments: str) -> pexpect.spawn:
        """A command in a terminal of its own."""
        child = pexpect.spawn(
            sys.executable, ["-m", "autograder", *arguments], cwd=self.folder, encoding="utf-8", timeout=60,
            dimensions=(60, 100), preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        child.delaybeforesend = None
        return child

    def types(self, *arguments: str) -> str:
        """What a command prints; whatever was known before is known afterwards."""
        said = self.headcount(*arguments, cwd=self.folder).stdout
        self.looks_back()
        return said

    def looks_back(self) -> None:
        """See that nothing that was known has gone."""
        now = json.loads((self.folder / ".headcount" / "progress.json").read_text())
        for id, before in self.known.items():
            assert now[id]["solved"] >= before["solved"]
            assert now[id]["revealed"] >= before["revealed"]
            assert now[id]["attempts"] >= before["attempts"]
            assert now[id]["hints"] >= before["hints"]
            assert now[id]["tries"][: len(before["tries"])] == before["tries"]
        self.known = now

    def saves(self, name: str, text: str) -> None:
        """Write a file as an editor does."""
        (self.folder / name).write_text(text)


@pytest.fixture
def evening(tmp_path: Path, headcount: Run) -> Evening:
    """A course that was just laid out."""
    assert headcount("init", "attention", cwd=tmp_path).returncode == 0
    return Evening(tmp_path / "attention", headcount)


def test_an_evening(evening: Evening) -> None:
    """Start, a wrong answer, hint, try, solved, next, quiz, reveal, and twice the power goes."""
    page = (ROOT / "docs" / "learner.md").read_text("utf-8")
    wrong, right = (text for name, text in steps(page) if name == A1)
    assert "headcount watch" in evening.headcount(cwd=evening.folder).stdout

    watching = evening.terminal("watch")
    watching.expect_exact("causal_mask is not written yet")
    watching.expect_exact("h hint")
    evening.saves(A1, wrong)
    watching.expect_exact("you hid the past, not the future")
    watching.expect_exact("h hint")
    watching.send("h")
    watching.expect_exact("Hint 1 of 3")
    evening.looks_back()
    evening.saves(A1, STRICT)
    watching.expect_exact("0 of 2 shown checks passed")
    watching.expect_exact("h hint")
    watching.send("h")
    watching.expect_exact("Hint 2 of 3")
    evening.looks_back()
    evening.saves(A1, right)
    watching.expect_exact("Solved. Next:")
    watching.expect_exact(A2)
    watching.kill(signal.SIGKILL)
    watching.expect(pexpect.EOF)
    evening.looks_back()

    assert "Next: a2_attention_weights" in evening.types()
    assert "One right answer, for comparison." in evening.types("reveal", "a1")
    for axis in ("scores", "scores * may_look", "np.where(may_look, scores, 0)"):
        evening.saves(A2, COLUMNS.format(axis))
        evening.types("check")
    revealing = evening.terminal("reveal", "a2")
    revealing.expect_exact("Type yes to see it")
    revealing.sendline("yes")
    revealing.expect_exact("The model answer. Read it, then write it yourself.")
    revealing.expect(pexpect.EOF)
    assert "answer revealed" in evening.types("list")

    quiz = evening.terminal("quiz", "b1")
    quiz.expect_exact("Question 1 of 5")
    quiz.expect_exact("Answer: ")
    quiz.sendline("[[0,1],[4,5],[8,9]]")
    quiz.expect("Right|Not right")
    quiz.expect_exact("Question 2 of 5")
    quiz.expect_exact("Answer: ")
    quiz.kill(signal.SIGKILL)
    quiz.expect(pexpect.EOF)
    evening.looks_back()
    again = evening.terminal("quiz", "b1")
    again.expect_exact("Question 2 of 5")
    interrupt(again, "They stand in exercises/b1_what_does_a_head_see.yaml")
    again.expect(pexpect.EOF)

    told = json.loads(evening.types("list", "--json"))
    a1, a2 = told[0], told[1]
    assert (a1["solved"], a1["hints"], a1["tries"]) == (True, 2, 3)
    assert (a2["solved"], a2["revealed"], a2["tries"]) == (False, True, 3)
    assert "Next: a2_attention_weights" in evening.types()
