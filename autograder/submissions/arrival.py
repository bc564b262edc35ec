"""When something was handed in: the file's own time, or what a timestamp.txt beside it says."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder.submissions import files
from autograder.submissions.errors import Refusal
from autograder.submissions.member import Limit

TIMESTAMP = "timestamp.txt"
_LIMIT = Limit(1 << 10, "it should hold one date")


def modified(seconds: float) -> str | None:
    """A file's modification time as ISO 8601 in UTC; None for times no calendar has."""
    try:
        return _iso(datetime.fromtimestamp(seconds, UTC))
    except (OverflowError, ValueError, OSError):
        return None


def noted(folder: Path, where: str) -> tuple[str | None, str | None]:
    """The time in the folder's timestamp.txt as ISO 8601 in UTC, and a sentence if it cannot be read.

    Reads ISO 8601 and what nbgrader writes (``2015-02-02 15:58:23.948203 America/Los_Angeles``); a time without zone
    is UTC, as nbgrader takes it.
    """
    origin = f"{where}/{TIMESTAMP}"
    try:
        text = files.read(folder / TIMESTAMP, origin, _LIMIT).decode("utf-8-sig")
        return _iso(_parse(text.strip())), None
    except (Refusal, ValueError, LookupError, OverflowError, OSError):
        return None, f"{origin} holds no readable date, so the files' own times are taken"


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _parse(text: str) -> datetime:
    if named := re.fullmatch(r"(.*\d)\s*([A-Za-z][A-Za-z_]+(?:[/+-]\w+)*)", text):
        return datetime.fromisoformat(named[1]).replace(tzinfo=_zone(named[2]))
    moment = datetime.fromisoformat(re.sub(r"(:[\d.]+)\s+(?=[+-]\d)", r"\1", text))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _zone(name: str) -> tzinfo:
    # known without a time zone database, which Windows does not have
    return UTC if name.upper() in ("UTC", "GMT") else ZoneInfo(name)
