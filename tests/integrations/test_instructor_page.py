"""The commands of docs/instructor.md, run as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.conftest import ROOT, Run
from tests.teach.test_grade import RIGHT, WRONG, hand_in

PAGE = (ROOT / "docs" / "instructor.md").read_text("utf-8")
BLOCKS = re.findall(r"^```([^\n]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_commands_of_the_page(kitchen: Path, headcount: Run) -> None:
    """Every command on the page works in the order of the page, in a course with a class of two."""
    hand_in(kitchen / "class", "ada", "k1_scale_recipe", RIGHT)
    hand_in(kitchen / "class", "bo", "k1_scale_recipe", WRONG)
    written = {info.split()[1]: text for info, text in BLOCKS if len(info.split()) == 2}
    for name, text in written.items():
        (kitchen / name).write_text(text)
    commands = [shlex.split(line) for info, text in BLOCKS if not info for line in text.splitlines()]
    assert len(commands) > 5
    for program, *arguments in commands:
        assert program == "headcount"
        run = headcount(*arguments, cwd=kitchen)
        assert run.returncode == 0, f"{arguments}: {run.stderr}"
        if "--to" in arguments:
            assert (kitchen / arguments[arguments.index("--to") + 1]).exists()
