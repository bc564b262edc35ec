"""The course about a garden: one quiz with every kind of question."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.course.load import load_course
from autograder.course.model import Course
from autograder.quiz.draw import Quiz, load_quiz
from tests.conftest import ROOT


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """A copy of the course."""
    return Path(shutil.copytree(ROOT / "tests" / "courses" / "garden", tmp_path / "garden"))


@pytest.fixture
def course(garden: Path) -> Course:
    """The course, loaded."""
    return load_course(garden)


@pytest.fixture
def quiz(course: Course) -> Quiz:
    """Its only quiz."""
    return load_quiz(course, course.exercises[0])
