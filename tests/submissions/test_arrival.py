"""When an upload was received."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.submissions import arrival


def test_a_modification_time_is_given_in_utc() -> None:
    """Seconds since 1970 become ISO 8601 with zone."""
    assert arrival.modified(1_700_000_000.75) == "2023-11-14T22:13:20+00:00"


def test_a_time_no_calendar_has_is_unknown() -> None:
    """A file system may hold any number; a date is not made up for it."""
    assert arrival.modified(1e20) is None


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2025-02-03T10:00:00Z", "2025-02-03T10:00:00+00:00"),
        ("2025-02-03 10:00:00.123456 UTC\n", "2025-02-03T10:00:00+00:00"),
        ("2025-02-03 10:00:00 America/Los_Angeles", "2025-02-03T18:00:00+00:00"),
        ("2025-02-03 10:00:00 +0100", "2025-02-03T09:00:00+00:00"),
        ("2025-02-03 10:00", "2025-02-03T10:00:00+00:00"),
        ("\ufeff2025-02-03T10:00:00-05:00", "2025-02-03T15:00:00+00:00"),
    ],
)
def test_timestamps_are_read_leniently(tmp_path: Path, text: str, utc: str) -> None:
    """ISO 8601 and the forms nbgrader has written, with a missing zone taken as UTC."""
    (tmp_path / "timestamp.txt").write_text(text, encoding="utf-8")
    assert arrival.noted(tmp_path, "smith") == (utc, None)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"yesterday",
        b"2025-02-03 10:00:00 Mars/Base",
        b"2025-13-01",
        b"\xff\xfe",
        b"2025-02-03 +0100",
        b"0001-01-01 00:00 +1400",
        b"9" * 2000,
    ],
)
def test_an_unreadable_timestamp_is_noted(tmp_path: Path, data: bytes) -> None:
    """What is no date leaves the files' own times, and says so."""
    (tmp_path / "timestamp.txt").write_bytes(data)
    assert arrival.noted(tmp_path, "smith") == (
        None,
        "smith/timestamp.txt holds no readable date, so the files' own times are taken",
    )


def test_a_timestamp_behind_a_link_is_not_read(tmp_path: Path) -> None:
    """A link could point at anything."""
    (tmp_path / "real.txt").write_text("2025-02-03")
    (tmp_path / "timestamp.txt").symlink_to("real.txt")
    assert arrival.noted(tmp_path, "smith")[0] is None
