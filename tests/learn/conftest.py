"""What the learner's tests share: answers to the first exercise of the kitchen course, and ways to write them."""

from __future__ import annotations

from pathlib import Path

RIGHT = "def scale_recipe(amounts, have, want):\n    assert have\n    return amounts * want / have\n"
WRONG = "def scale_recipe(amounts, written_for, guests):\n    return amounts * guests\n"
UPSIDE_DOWN = "def scale_recipe(amounts, written_for, guests):\n    return amounts * written_for / max(guests, 1)\n"
ADDED = "def scale_recipe(amounts, written_for, guests):\n    return amounts + guests\n"
STUB = "exercises/k1_scale_recipe.py"


def answer(course: Path, text: str) -> Path:
    """Write an answer where the stub lies."""
    path = course / STUB
    path.write_text(text)
    return path
