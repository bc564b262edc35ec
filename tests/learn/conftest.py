"""What the learner's tests share: answers to the first exercise of the kitchen course, and ways to write them."""

from __future__ import annotations

from pathlib import Path

import pexpect

RIGHT = "def scale_recipe(amounts, have, want):\n    assert have\n    return amounts * want / have\n"
WRONG = "def scale_recipe(amounts, written_for, guests):\n    return amounts * guests\n"
UPSIDE_DOWN = "def scale_recipe(amounts, written_for, guests):\n    return amounts * written_for / max(guests, 1)\n"
ADDED = "def scale_recipe(amounts, written_for, guests):\n    return amounts + guests\n"
STUB = "exercises/k1_scale_recipe.py"


def interrupt(child: pexpect.spawn, said: str) -> None:
    """Press Ctrl-C until it is heard: Python misses one that comes just before it begins to read a line."""
    for _ in range(20):
        child.sendintr()
        if child.expect_exact([said, pexpect.TIMEOUT], timeout=5) == 0:
            return
    raise AssertionError(f"Ctrl-C is not heard: {child.before!r}")


def answer(course: Path, text: str) -> Path:
    """Write an answer where the stub lies."""
    path = course / STUB
    path.write_text(text)
    return path
