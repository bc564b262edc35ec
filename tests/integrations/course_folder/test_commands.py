"""The course folder with nbgrader's own commands, in the order in which docs/instructor.md tells them."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.integrations.course_folder.conftest import (
    HEADCOUNT,
    HEAVIEST,
    K1,
    K2,
    NAME,
    QUIZ,
    RIGHT,
    TEXT,
    Nbgrader,
    answered,
    cell_of,
    notebook,
    scores,
)  # fmt: skip

PAGE = (ROOT / "docs" / "instructor.md").read_text("utf-8")


@pytest.mark.slow
def test_the_week_of_the_page(market: Path, nbgrader: Nbgrader) -> None:
    """Every command of the page's section on nbgrader, with an archive as an LMS exports it."""
    section = PAGE.partition("\n## nbgrader\n")[2]
    (block,) = re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    folder = market
    for line in block.replace("b_split_and_merge", NAME).splitlines():
        program, *arguments = shlex.split(line)
        if program == "cd":
            folder /= arguments[0]
            downloads = folder / "downloaded" / NAME / "archive"
            downloads.mkdir(parents=True)
            with zipfile.ZipFile(downloads / "all.zip", "w") as archive:
                for name in (f"ada_17_{NAME}.ipynb", f"bo_LATE_18_{NAME}-2.ipynb"):
                    archive.writestr(name, json.dumps(answered(market, k1=RIGHT, k2=HEAVIEST)))
        elif program == "headcount":
            run = subprocess.run([*HEADCOUNT, *arguments], cwd=folder, capture_output=True, text=True, check=False)
            assert run.returncode == 0, run.stderr
        else:
            nbgrader(*arguments, cwd=folder)
    assert set(scores(folder)) == {"ada", "bo"}
    assert scores(folder)["ada"] == scores(folder)["bo"] == {K1: 3.0, K2: 2.0, QUIZ: 0.0, TEXT: 0.0}
    assert (folder / "grades.csv").read_text("utf-8").count("\n") == 3
    assert len(list((folder / "feedback").rglob("*.html"))) == 2


@pytest.mark.slow
def test_what_students_get(market: Path, folder: Path, nbgrader: Nbgrader) -> None:
    """The released notebook is that of the course, cell by cell; validating it says what is missing."""
    nbgrader("generate_assignment", NAME, cwd=folder)
    path = folder / "release" / NAME / f"{NAME}.ipynb"
    released = json.loads(path.read_text("utf-8"))
    assert [cell["source"] for cell in released["cells"]] == [cell["source"] for cell in notebook(market)["cells"]]
    roles = [role for cell in released["cells"] if (role := cell["metadata"].get("nbgrader"))]
    assert all(role["checksum"] for role in roles)
    for id, source in ((K1, RIGHT), (K2, HEAVIEST)):
        cell_of(released, id)["source"] = source
    path.write_text(json.dumps(released), "utf-8")
    said = nbgrader("validate", str(path), cwd=folder)
    assert "VALIDATION FAILED ON 2 CELL" in said  # the quiz, and the text that nobody has written
    assert "area: is not answered yet" in said


def test_init_again_keeps_what_is_ours_to_keep(market: Path, folder: Path) -> None:
    """The notebooks come anew, the configuration stays."""
    config, source = folder / "nbgrader_config.py", folder / "source" / NAME / f"{NAME}.ipynb"
    config.write_text(config.read_text("utf-8") + "# mine\n", "utf-8")
    before = source.read_bytes()
    source.write_text("{}")
    run = subprocess.run(
        [*HEADCOUNT, "nbgrader", "init", folder], cwd=market, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert source.read_bytes() == before
    assert config.read_text("utf-8").endswith("# mine\n")


def test_without_nbgrader_it_says_what_to_install(market: Path) -> None:
    """One line; everything else of the command works without it."""
    program = (
        "import sys, importlib.util as u; find = u.find_spec;"
        "u.find_spec = lambda name, *rest: None if name == 'nbgrader' else find(name, *rest);"
        "from autograder.cli import main; main()"
    )
    command = [sys.executable, "-c", program, "nbgrader", "init", "elsewhere"]
    run = subprocess.run(command, cwd=market, capture_output=True, text=True, check=False)
    assert (run.returncode, "pip install" in run.stderr, "Traceback" in run.stderr) == (2, True, False)
