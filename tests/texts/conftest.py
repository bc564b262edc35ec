"""The course about postcards: one text."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture
def postcards(tmp_path: Path) -> Path:
    """A copy of the course."""
    return Path(shutil.copytree(ROOT / "tests" / "courses" / "postcards", tmp_path / "postcards"))
