"""Noticing ready-made answers: names that a source mentions, and functions it calls under whatever name.

Nothing can be forbidden for certain inside the process that runs a learner's code. What is noticed here is shown to a
person, or refused, as the course says; what hides well enough is not noticed.
"""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

from autograder.plain import Plain

MOST = 20


def mentions(tree: ast.Module, names: set[str]) -> list[Plain]:
    """Which of these names the source mentions, as [name, line]: used, imported, or spelt out in a string."""
    found: list[Plain] = []
    for node in ast.walk(tree) if names else ():
        words: list[str] = []
        if isinstance(node, ast.Name):
            words = [node.id]
        elif isinstance(node, ast.Attribute):
            words = [node.attr]
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            words = [alias.name.rpartition(".")[2] for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = [node.value.rpartition(".")[2]]
        found += [[word, getattr(node, "lineno", 0)] for word in words if word in names]
    return found[:MOST]


@contextlib.contextmanager
def listening(names: set[str], file: str) -> Iterator[list[Plain]]:
    """Collect which of these torch functions are called meanwhile, as [name, line of the learner's file].

    Works where torch has been imported; calls are let through unchanged.
    """
    heard: list[Plain] = []
    if not names or "torch" not in sys.modules:
        yield heard
        return
    with _listener()(names, file, heard):
        yield heard


@cache
def _listener() -> Any:
    """The class of those who listen; making a class takes longer than most calls."""
    from torch.overrides import TorchFunctionMode

    class Listener(TorchFunctionMode):
        def __init__(self, names: set[str], file: str, heard: list[Plain]) -> None:
            super().__init__()
            self.names, self.file, self.heard = names, file, heard

        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            name = getattr(function, "__name__", "")
            if name in self.names and len(self.heard) < MOST:
                self.heard.append([name, _line(self.file)])
            return function(*args, **(kwargs or {}))

    return Listener


def _line(file: str) -> int:
    """The line of the learner's file that is at work now; 0 where none is."""
    frame = sys._getframe()
    while frame := frame.f_back:  # type: ignore[assignment]
        if frame.f_code.co_filename == file:
            return frame.f_lineno
    return 0
