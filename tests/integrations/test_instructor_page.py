"""The commands of docs/instructor.md, run as they stand there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.conftest import ROOT, Run
from tests.integrations.test_pytest_plugin import run_pytest
from tests.teach.test_grade import RIGHT, WRONG, hand_in

PAGE = (ROOT / "docs" / "instructor.md").read_text("utf-8")
BLOCKS = re.findall(r"^```([^\n]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COURSES = ROOT / "tests" / "courses"
#: Exercises of small courses, under names that the page uses for those of this one.
NAMES = {
    "k1_scale_recipe": "b2_scale_recipe", "k2_heaviest": "b3_heaviest",
    "g1_beds": "g1_beds", "p1_harbour": "f8_card",
}  # fmt: skip
CARD = "I am at the old harbour, second bench from the lighthouse, until six."


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with code, a quiz and a text, and a class of two."""
    yaml, root = YAML(), tmp_path / "course"
    about: dict[str, Any] = {"title": "Small", "stages": {}, "families": {}, "exercises": []}
    for home in (COURSES / name for name in ("kitchen", "garden", "postcards")):
        theirs = yaml.load(home / "course.yaml")
        about["stages"] |= theirs["stages"]
        about["families"] |= theirs["families"]
        for each in theirs["exercises"]:
            shutil.copytree(home / "solutions" / each["id"], root / "solutions" / NAMES[each["id"]])
            needs = [NAMES[need] for need in each.get("needs", [])]
            about["exercises"].append(each | {"id": NAMES[each["id"]], "needs": needs})
    yaml.dump(about, root / "course.yaml")
    hand_in(root / "class", "ada", "b2_scale_recipe", RIGHT)
    hand_in(root / "class", "bo", "b2_scale_recipe", WRONG)
    return root


def test_the_commands_of_the_page(course: Path, headcount: Run) -> None:
    """Every command on the page works in the order of the page."""
    assert headcount("verify", "--fix", cwd=course).returncode == 0
    question = (course / "exercises" / "f8_card.md").read_text("utf-8")
    (course / "class" / "ada" / "f8_card.md").write_text(f"{question}\n{CARD}\n")
    written = {info.split()[1]: text for info, text in BLOCKS if len(info.split()) == 2}
    for name, content in written.items():
        (course / name).write_text(content)
    commands = [shlex.split(line) for info, text in BLOCKS if not info for line in text.splitlines()]
    assert len(commands) > 20
    for program, *arguments in commands:
        if program == "pytest":
            assert run_pytest(*arguments, cwd=course).returncode == 1  # bo's answer is wrong
            assert (course / arguments[-1]).is_file()
            continue
        assert program == "headcount"
        run = headcount(*arguments, cwd=course)
        assert run.returncode == 0, f"{arguments}: {run.stdout}{run.stderr}"
        if "--to" in arguments:
            assert (course / arguments[arguments.index("--to") + 1]).exists()
