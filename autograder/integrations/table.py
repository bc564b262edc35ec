"""CSV that a spreadsheet reads as what it says, whoever chose the words in it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from autograder.integrations.text import plain

#: How a formula may start, in full width too. A leading tab or line break is skipped by some spreadsheets.
FORMULA = "=+-@\t\r\n＝＋－＠"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV (RFC 4180, lines end in CR LF); no cell of `header` or `rows` can be taken for a formula."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([cell(value) for value in header])
    writer.writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()


def cell(value: str) -> str:
    """A value as one cell: `plain`, and with an apostrophe before what a spreadsheet would compute."""
    text = plain(value)
    return f"'{text}" if is_formula(value) else text


def is_formula(value: str) -> bool:
    """Whether a spreadsheet might compute this value instead of showing it. A lone "-" is how no mark is written."""
    return value != "-" and (value[:1] in FORMULA or value.strip()[:1] in FORMULA) and bool(value.strip())
