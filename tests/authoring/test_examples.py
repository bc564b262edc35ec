"""The examples of a lesson, run in a program of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ENDLESS = '''"""Example

    >>> turn()
    1
    >>> 1 + 1
    3
"""


def turn():
    while True:
        pass
'''
QUICKLY = "import sys; from autograder.authoring import examples; examples.PATIENCE = 0.3; examples.main(sys.argv[1:])"


def test_an_example_without_an_end(tmp_path: Path) -> None:
    """A model answer that loops is told with the place of the example, and the others are still looked at."""
    lesson = tmp_path / "solution.py"
    lesson.write_text(ENDLESS)
    run = subprocess.run([sys.executable, "-c", QUICKLY, str(lesson)], capture_output=True, text=True, check=True)
    endless, wrong = map(json.loads, run.stdout.splitlines())
    assert (endless["line"], endless["got"].partition(":")[0]) == (3, "TimeoutError")
    assert "is there a loop that never ends?" in endless["got"]
    assert (wrong["line"], wrong["got"]) == (5, "2")
