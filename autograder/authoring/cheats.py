"""Known ways to get points without an answer, made from any exercise's model answer, and what they deserve.

A cheat is a whole file. It deserves the points of a check only where its own claims are the model answer's, before any
measure is taken: what it does right it may keep, such as a constructor. Everything else that it earns is a hole.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from autograder.authoring.worth import Answers
from autograder.course.model import Exercise
from autograder.judge.compare import same
from autograder.judge.key import Key
from autograder.records import Probe, Result, Verdict

ZEROS = "right shapes filled with zeros"
RAISES = "an exception in the call"
#: What becomes of a result, by the name of the cheat that does it.
_SPOILED = {
    ZEROS: "_filled(result, lambda value: value * 0)",
    "right shapes filled with random numbers": "_filled(result, _random)",
    "right shapes filled with NaN": "_filled(result, lambda value: value * float('nan'))",
    "results that claim to equal everything": "_lying(_filled(result, lambda value: value * 0))",
    "the first input handed back": "first",
}
_ENDS = {
    "os._exit in the call": ("", "os._exit(0)"),
    "sys.exit in the call": ("", "sys.exit(0)"),
    RAISES: ("", "raise AssertionError('all checks passed')"),
    "os._exit while loading": ("os._exit(0)", "pass"),
    "sys.exit while loading": ("sys.exit(0)", "pass"),
}

_HELPERS = """
import builtins, numbers, random, sys
import numpy as _np


def _torch():
    return sys.modules.get("torch")


def _filled(value, change):
    if isinstance(value, dict):
        return {key: _filled(item, change) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_filled(item, change) for item in value)
    if isinstance(value, bool):
        return False
    try:
        changed = change(value)
        if isinstance(value, _np.ndarray):
            return _np.asarray(changed).astype(value.dtype)
        if _torch() and isinstance(value, _torch().Tensor):
            return changed.to(value.dtype)
        return type(value)(changed)
    except Exception:
        return 0


def _random(value):
    if isinstance(value, _np.ndarray):
        return _np.random.default_rng(0).random(value.shape)
    if _torch() and isinstance(value, _torch().Tensor):
        return _torch().rand(value.shape)
    return random.Random(0).random() * 10


def _agree(*_, **__):
    return True


def _lying(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(_lying, value))
    names = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "allclose", "equal", "all", "any")
    kind = type("Agreeing", (type(value),), {**dict.fromkeys(names, _agree), "__hash__": lambda _: 0})
    if isinstance(value, _np.ndarray):
        return value.view(kind)
    if _torch() and isinstance(value, _torch().Tensor):
        return value.as_subclass(kind)
    try:
        return kind(value)
    except TypeError:
        return value


def _patch():
    for name in ("allclose", "isclose", "array_equal", "array_equiv", "equal"):
        setattr(_np, name, _agree)
    for name in ("assert_allclose", "assert_array_equal", "assert_array_almost_equal", "assert_equal"):
        setattr(_np.testing, name, _agree)
    torch = _torch()
    for name in ("allclose", "isclose", "equal", "eq") if torch else ():
        setattr(torch, name, _agree)
        setattr(torch.Tensor, name, _agree)
    for name in ("__eq__", "__ne__", "__sub__", "__bool__") if torch else ():
        setattr(torch.Tensor, name, _agree)
    builtins.all = builtins.any = _agree
"""


@dataclass(frozen=True)
class Cheat:
    """A file that wants points for nothing; `does` says how."""

    does: str
    source: str


def cheats(exercise: Exercise, solution: str) -> Iterator[Cheat]:
    """Every known cheat for this exercise, in a fixed order."""
    for does, result in _SPOILED.items():
        yield Cheat(does, _spoiled(exercise, solution, result))
    yield Cheat("patched comparators", f"{_spoiled(exercise, solution, _SPOILED[ZEROS])}\n\n_patch()\n")
    for does, (first, then) in _ENDS.items():
        functions = [f"def {name}(*_, **__):\n    {then}" for name in exercise.defines]
        yield Cheat(does, "\n\n\n".join(["import os, sys", first, *functions]) + "\n")


def undeserved(key: Key, result: Result, own: Answers, *, known: bool = False) -> list[Verdict]:
    """The checks that this result passes without deserving it.

    `own` are the cheat's own claims. Where it knows the shown answers by heart, only hidden ones count.
    """
    return [
        verdict
        for verdict in result.checks
        if verdict.points
        and not all(
            _like_the_model(key, probe, own)
            for probe in key.probes
            if probe.check == verdict.id and not (known and probe.shown)
        )
    ]


def _like_the_model(key: Key, probe: Probe, own: Answers) -> bool:
    return same(key.reference[probe.name], own[probe.name], replace(probe, measure=None))


def _spoiled(exercise: Exercise, solution: str, result: str) -> str:
    """The model answer, with something else in the place of what it returns."""
    tree = ast.parse(solution)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name in exercise.defines:
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    _spoil(method, 1)
        elif isinstance(node, ast.FunctionDef) and node.name in exercise.defines:
            _spoil(node, 0)
    return f"{ast.unparse(tree)}\n\n{_HELPERS}\n\ndef _spoil(result, first):\n    return {result}\n"


def _spoil(function: ast.FunctionDef, first: int) -> None:
    """Send everything that the function returns through `_spoil`, together with its first input."""
    named = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)][first:]
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value:
            given = ast.Name(named[0], ast.Load()) if named else ast.Constant(None)
            node.value = ast.Call(ast.Name("_spoil", ast.Load()), [node.value, given], [])
