"""From the bytes of a source to its text: UTF-8, whatever the file says about itself."""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_COOKIE = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_COMMENT = re.compile(r"[ \t\f]*(#|$)")
_SAVE = "save it as UTF-8 (in most editors: Save with Encoding, then UTF-8)"


class UnreadableSource(Exception):
    """Raised when a source is not UTF-8 text. The text is one sentence for the learner."""


def decode(source: bytes) -> tuple[str, str | None]:
    """The text of a source, without byte order mark, and a notice for the learner or None.

    A coding cookie has no effect, so that what is read and linted is what runs; the notice says so. Raises
    UnreadableSource for anything but UTF-8 and for null bytes.
    """
    for mark, encoding in _MARKS:
        if source.startswith(mark):
            raise UnreadableSource(f"The file is {encoding} text, seen from byte 1 of line 1: {_SAVE}.")
    if b"\0" in source:
        raise UnreadableSource(_about_nulls(source))
    body = source.removeprefix(codecs.BOM_UTF8)
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise UnreadableSource(_about_bytes(source, error.start + len(source) - len(body))) from None
    return text, _notice(text)


def _place(source: bytes, position: int) -> str:
    lines = source[:position].split(b"\n")
    return f"byte {len(lines[-1]) + 1} of line {len(lines)}"


def _about_nulls(source: bytes) -> str:
    place = _place(source, source.index(0))
    # ASCII text saved as UTF-16 is a null in every second byte
    if source.count(0) * 3 > len(source):
        return f"The file is UTF-16 text without a mark, seen from the null at {place}: {_SAVE}."
    return f"The file has a null at {place}, which no text may hold: delete that character and {_SAVE}."


def _about_bytes(source: bytes, position: int) -> str:
    byte = source[position : position + 1]
    letter = byte.decode("cp1252", "replace")
    return (
        f"The file is not UTF-8 text but probably Latin-1 or Windows-1252, where {_place(source, position)},"
        f" 0x{byte.hex()}, is '{letter}': {_SAVE}."
    )


def _notice(text: str) -> str | None:
    """A cookie counts on the first two lines, on the second only below a comment or an empty line."""
    for number, line in enumerate(text.split("\n", 2)[:2], start=1):
        if cookie := _COOKIE.match(line):
            if cookie[1].lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig"):
                return None
            return f"Line {number} asks for the encoding {cookie[1]}; this has no effect, the file is read as UTF-8."
        if not _COMMENT.match(line):
            return None
    return None
