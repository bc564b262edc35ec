"""When a file counts as saved: every look is made by hand, so nothing waits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograder.learn.saved import AT_REST, DOUBTFUL, READ_ANYWAY, SavedFile


@pytest.fixture
def file(tmp_path: Path) -> SavedFile:
    """A file whose first content has been told."""
    path = tmp_path / "answer.py"
    path.write_text("one")
    saved = SavedFile(path)
    assert until(saved) == b"one"
    return saved


def until(saved: SavedFile, looks: int = DOUBTFUL + READ_ANYWAY + 1) -> bytes | str | None:
    """What is told within so many looks."""
    return next((found for _ in range(looks) if (found := saved.look()) is not None), None)


def test_nothing_new(file: SavedFile) -> None:
    """A file that stays is told once, and saving the same again is nothing new."""
    assert until(file) is None
    file.path.write_text("one")
    assert until(file) is None


def test_a_save_is_told_at_the_second_look(file: SavedFile) -> None:
    """One look sees that it changed, the next that it came to rest."""
    file.path.write_text("two")
    assert [file.look() for _ in range(AT_REST + 2)] == [None, b"two", None]


def test_an_editor_that_writes_in_pieces(file: SavedFile) -> None:
    """Truncated, half written, written: only the whole is told."""
    seen = []
    for piece in ("", "", "tw", "two", "two thr", "two three"):
        file.path.write_text(piece)
        seen.append(file.look())
    assert seen == [None] * 6
    assert file.look() == b"two three"


def test_an_editor_that_deletes_and_renames(file: SavedFile) -> None:
    """The moment without a file is no verdict."""
    other = file.path.with_suffix(".swp")
    other.write_text("two")
    file.path.unlink()
    assert until(file, DOUBTFUL) is None
    os.replace(other, file.path)
    assert until(file) == b"two"


def test_a_file_that_stays_away(file: SavedFile) -> None:
    """It is said once, and the old content coming back is checked again."""
    file.path.unlink()
    said = until(file)
    assert isinstance(said, str)
    assert "answer.py is not there" in said
    assert until(file) is None
    file.path.write_text("one")
    assert until(file) == b"one"


def test_an_emptied_file_is_told_in_the_end(file: SavedFile) -> None:
    """Nothing but blank lines is doubted for a while, and then it is what was saved."""
    file.path.write_text("\n")
    assert until(file, DOUBTFUL) is None
    assert until(file) == b"\n"


def test_a_save_that_neither_time_nor_size_shows(file: SavedFile) -> None:
    """On a file system with a coarse clock the content is found out all the same."""
    before = os.stat(file.path)
    with open(file.path, "r+") as writer:
        writer.write("two")
    os.utime(file.path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert until(file) == b"two"


def test_something_else_in_its_place(file: SavedFile) -> None:
    """A folder or a pipe of that name is named and not waited for."""
    file.path.unlink()
    os.mkfifo(file.path)
    said = until(file)
    assert isinstance(said, str)
    assert "a named pipe" in said
