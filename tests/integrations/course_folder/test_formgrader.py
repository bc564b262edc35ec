"""nbgrader's formgrader in a real browser, on what the grading wrote. Skipped where there is no browser to run."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import ROOT
from tests.integrations.course_folder.conftest import NAME, SCORES, TEXT, rows
from tests.integrations.course_folder.students import a_class
from tests.integrations.course_folder.test_grade import grade

SCRIPT = Path(__file__).with_name("formgrader.cjs")
TOKEN = "a-token-for-tests"
SUBMISSION = """
    select submitted_notebook.id from submitted_notebook
    join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id where student_id = 'bo'
"""
COMMENT = "select manual_comment from comment where manual_comment is not null"
#: How often a server that is starting is asked whether it is there, and the seconds between.
TRIES, PAUSE = 600, 0.1


class Browser(NamedTuple):
    """What runs the script."""

    node: str
    chromium: str


@pytest.fixture
def browser() -> Browser:
    """Node, Chromium and playwright-core (which NODE_PATH may lead to)."""
    node, chromium = shutil.which("node"), shutil.which("chromium") or shutil.which("google-chrome")
    if node is None or chromium is None:
        pytest.skip("needs Node and Chromium")
    if subprocess.run([node, "-e", "require('playwright-core')"], capture_output=True, check=False).returncode:
        pytest.skip("needs playwright-core: npm install playwright-core, and NODE_PATH to its node_modules")
    return Browser(node, chromium)


@pytest.fixture
def formgrader(folder: Path) -> Iterator[str]:
    """The address of a Jupyter server in the course folder, of twelve students graded."""
    a_class(folder.parent, folder)
    grade(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [Path(sys.executable).with_name("jupyter"), "lab", "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
    options = [f"--IdentityProvider.token={TOKEN}", "--allow-root", "--ServerApp.port_retries=0"]
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "JUPYTER_RUNTIME_DIR": str(folder / "run"),
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
    }
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen([*command, *options], cwd=folder, env=environment, stdout=log, stderr=log)
    base = f"http://127.0.0.1:{port}"
    try:
        for _ in range(TRIES):
            if server.poll() is not None or _answers(f"{base}/api"):
                break
            time.sleep(PAUSE)
        yield base
    finally:
        server.terminate()
        server.wait(30)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except (urllib.error.URLError, OSError):
        return False


@pytest.mark.slow
def test_a_mark_typed_into_formgrader(folder: Path, formgrader: str, browser: Browser) -> None:
    """It shows every student, the answer and what was said of it; what is typed is in the database and stays there."""
    ((submission,),) = rows(folder, SUBMISSION)
    pictures = Path(os.environ.get("HEADCOUNT_SCREENSHOTS", folder))
    command = [
        browser.node,
        SCRIPT,
        browser.chromium,
        formgrader,
        TOKEN,
        submission,
        TEXT,
        "2.5",
        "Which <pier>?",
        pictures,
    ]
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=240)
    assert run.returncode == 0, run.stderr + (folder / "server.log").read_text()
    seen = json.loads(run.stdout)
    assert seen["dialogs"] == []
    assert "stay where you are until the boat comes for you" in seen["text"]
    assert "divide by written_for" in seen["text"]
    assert (pictures / "after.png").stat().st_size > 10_000
    for _ in range(2):  # as typed, and after the class was graded again
        (found,) = [each for each in rows(folder, SCORES) if each[:2] == ("bo", TEXT)]
        assert (found[2], found[3], bool(found[4])) == (None, 2.5, False)
        assert rows(folder, COMMENT) == [("Which <pier>?",)]
        grade(folder)
    assert NAME in str(next((folder / "autograded").rglob("*.ipynb")))
