"""The store of derived files: where it is, and that nothing about it can hurt."""

import os
import sys
import time
from pathlib import Path

import pytest

from autograder.course.cache import cache_dir, recall, store


def test_stored_data_comes_back(own_cache: Path) -> None:
    """What was stored is recalled, and no draft stays behind."""
    store("key", b"data")
    assert recall("key") == b"data"
    assert [path.name for path in own_cache.iterdir()] == ["key"]


def test_storing_again_replaces() -> None:
    """The last data stored under a name counts."""
    store("key", b"old")
    store("key", b"new")
    assert recall("key") == b"new"


def test_nothing_stored() -> None:
    """A name never stored is None."""
    assert recall("key") is None


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 40])
def test_damaged_file_is_ignored(own_cache: Path, damage: bytes) -> None:
    """A file that is not what was stored counts as absent."""
    store("key", b"data")
    (own_cache / "key").write_bytes(damage)
    assert recall("key") is None


def test_a_flipped_byte_is_damage(own_cache: Path) -> None:
    """One wrong byte in the data is noticed."""
    store("key", b"data")
    kept = (own_cache / "key").read_bytes()
    (own_cache / "key").write_bytes(kept[:-1] + b"A")
    assert recall("key") is None


def test_no_cache_where_the_folder_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place that cannot be written means no cache, silently."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert cache_dir() is None
    store("key", b"data")
    assert recall("key") is None


def test_storing_fails_silently(own_cache: Path) -> None:
    """Where the file itself cannot be replaced nothing is raised and no draft stays behind."""
    store("other", b"")
    (own_cache / "key").mkdir()
    store("key", b"data")
    assert recall("key") is None
    assert sorted(path.name for path in own_cache.iterdir()) == ["key", "other"]


def aged(path: Path, days: float) -> None:
    """Make a file look as if it had last been used so long ago."""
    then = time.time() - days * 86400
    os.utime(path, (then, then))


def test_what_nobody_asks_for_is_removed(own_cache: Path) -> None:
    """Storing removes what was not used for ninety days, drafts that a crash left behind too, and nothing else."""
    for name, days in (("old", 91.0), (".key.draft", 91.0), ("younger", 89.0)):
        store(name, b"data")
        aged(own_cache / name, days)
    (own_cache / "folder").mkdir()
    aged(own_cache / "folder", 91)
    store("new", b"data")
    assert sorted(path.name for path in own_cache.iterdir()) == ["folder", "new", "younger"]


def test_what_is_asked_for_stays(own_cache: Path) -> None:
    """Being recalled counts as being used."""
    store("key", b"data")
    aged(own_cache / "key", 80)
    recall("key")
    aged(own_cache / "key", (time.time() - (own_cache / "key").stat().st_mtime) / 86400 + 20)
    store("new", b"data")
    assert recall("key") == b"data"


def test_relative_xdg_cache_home_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the XDG specification asks, only an absolute XDG_CACHE_HOME counts; else ~/.cache does."""
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_dir() == tmp_path / ".cache" / "headcount"


def test_windows_uses_local_app_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows the cache lies under LOCALAPPDATA."""
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "win32")
    assert cache_dir() == tmp_path / "headcount"


def test_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user without a home folder has no cache."""
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(sys, "platform", "linux")

    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    assert cache_dir() is None
