"""A tiny course on disk, and the problems that a changed course.yaml or content file has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.course.errors import CourseError
from autograder.course.load import load_course
from autograder.course.model import Course

COURSE = """\
title: Tiny course
stages:
  A: See a head
  B: Split
families:
  mask:
    says: The mask hides the wrong tokens.
    slugs: [mask-inverted, mask-missing]
  layout: {says: The axes are in the wrong order., slugs: [split-view, split-order]}
exercises:
  - id: a1_mask
    title: Who may look where
    stage: A
    kind: code
    library: numpy
    defines: [mask]
    points: 3
    minutes: 5
    lesson: Write the mask.
    checks:
      values: {points: 2, says: the mask is right}
      corners: {points: 1, says: one token works, needs: [values]}
    hints: [where, the idea, the line]
  - id: b1_look
    title: What a head sees
    stage: B
    kind: quiz
    points: 2.5
    minutes: 4
    needs: [a1_mask]
    seeds: {S1: [7, 19]}
    lesson: Read the split.
    checks: {look: {points: 2.5, says: the split is read}}
    hints: [look, the thought, the row]
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep every test away from the cache of the machine, and from the others."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder / "headcount"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the tiny course, which is also the current folder."""
    (tmp_path / "course.yaml").write_text(COURSE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def course(root: Path) -> Course:
    """The tiny course, loaded."""
    return load_course(root)


@pytest.fixture
def problems(root: Path) -> Callable[..., list[str]]:
    """`problems(old, new)` replaces text in course.yaml and returns what is wrong then; pairs may follow each other."""

    def of(*changes: str) -> list[str]:
        text = COURSE
        for old, new in zip(changes[::2], changes[1::2], strict=True):
            assert text.count(old) == 1, f"{old!r} must name one place"
            text = text.replace(old, new)
        (root / "course.yaml").write_text(text)
        with pytest.raises(CourseError) as caught:
            load_course(root)
        return list(caught.value.problems)

    return of
