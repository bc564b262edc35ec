"""A class folder written on the spot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.records import Upload
from autograder.submissions.intake import collect

EXPECTED = ["a1_causal_mask.py", "b2_split_heads.py", "c2_multi_head_attention.py", "d2_count.yaml"]


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """An empty class folder."""
    folder = tmp_path / "class"
    folder.mkdir()
    return folder


@pytest.fixture
def put(room: Path) -> Callable[[dict[str, bytes]], Path]:
    """Writes files, named by their path in the class folder, and returns the class folder."""

    def put(files: dict[str, bytes]) -> Path:
        for name, data in files.items():
            path = room / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return room

    return put


@pytest.fixture
def uploads(put: Callable[[dict[str, bytes]], Path]) -> Callable[[dict[str, bytes]], dict[str, Upload]]:
    """Writes files into the class folder and collects it: learner -> upload."""
    return lambda files: {upload.learner: upload for upload in collect(put(files), EXPECTED)}
