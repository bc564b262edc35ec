"""Files are written as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.files import write_whole


def test_an_error_names_the_file_and_not_its_draft(tmp_path: Path) -> None:
    """The draft has a name that nobody has ever seen."""
    path = tmp_path / "nowhere" / "a1.py"
    with pytest.raises(OSError, match="nowhere") as raised:
        write_whole(path, [b"x"])
    assert raised.value.filename == str(path)
