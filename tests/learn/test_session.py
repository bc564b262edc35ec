"""The session recorded in docs/learner.md is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT, Run

BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def steps(page: str) -> Iterator[tuple[str, str]]:
    """What the learner of the page does, in order: a file to save and its text, or a command and its output."""
    for kind, text in BLOCK.findall(page):
        if kind == "python":
            name, _, source = text.removeprefix("# ").partition("\n")
            yield name, source
        else:
            for step in text.removeprefix("$ ").split("\n$ "):
                command, _, output = step.partition("\n")
                yield command, output.rstrip("\n") + "\n"


def test_the_recorded_session_is_replayed(tmp_path: Path, headcount: Run) -> None:
    """Every command prints what the page says; `...` stands for anything."""
    for name in ("exercises", "solutions"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "course.yaml", tmp_path)
    same = doctest.OutputChecker().check_output
    done = 0
    for what, text in steps((ROOT / "docs" / "learner.md").read_text("utf-8")):
        if what.startswith("exercises/"):
            (tmp_path / what).write_text(text)
            continue
        program, *arguments = shlex.split(what)
        assert program == "headcount"
        got = headcount(*arguments, cwd=tmp_path).stdout
        assert same(text, got, doctest.ELLIPSIS), f"$ {what}\n{got}"
        done += 1
    assert done > 5
