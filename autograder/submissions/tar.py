"""The entries of a tar archive, read header by header in time proportional to its length.

Python's own reader searches extended headers with patterns that take hours on some of them, so only single headers are
left to it. An archive is what it says until its end: whatever is not a header where one belongs is damage.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass

FOLDER = "a folder"
_BLOCK = tarfile.BLOCKSIZE
_KINDS = {
    tarfile.REGTYPE: "",
    tarfile.AREGTYPE: "",
    tarfile.DIRTYPE: FOLDER,
    tarfile.SYMTYPE: "a symbolic link",
    tarfile.LNKTYPE: "a hard link",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
    tarfile.FIFOTYPE: "a named pipe",
}
#: Entries without contents, whatever size they declare.
_BARE = frozenset(_KINDS) - {tarfile.REGTYPE, tarfile.AREGTYPE}
#: Headers about the next entry: in records, or its long name; and those that say nothing that is needed here.
_RECORDS = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
_SKIPPED = (tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK)
#: Where a header of an old GNU sparse file, and each of the blocks that lengthen it, say that one more follows.
_SPARSE_GOES_ON, _SPARSE_GOES_ON_AGAIN = 482, 504
#: A record is no longer than this says: digits beyond it are no length.
_LENGTH_DIGITS = 8


class Damaged(Exception):
    """Raised where the bytes are not those of a whole tar archive."""


@dataclass(frozen=True)
class Entry:
    """One entry: its name as written, what it is (empty for a regular file), and where its contents lie."""

    name: str
    kind: str
    start: int
    size: int


def entries(plain: bytes) -> Iterator[Entry]:
    """Every entry in the order of the archive. Raises Damaged, also in the middle of the iteration."""
    at, said = 0, dict[str, str]()
    if not plain:
        raise Damaged
    while (header := plain[at : at + _BLOCK]).strip(b"\0"):
        try:
            info = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
        except (tarfile.TarError, ValueError, OverflowError):
            raise Damaged from None
        size = _number(said.pop("size", str(info.size)))
        start = at + _BLOCK
        if info.type == tarfile.GNUTYPE_SPARSE and header[_SPARSE_GOES_ON]:
            start += _BLOCK
            while plain[start - _BLOCK + _SPARSE_GOES_ON_AGAIN : start - _BLOCK + _SPARSE_GOES_ON_AGAIN + 1].strip(
                b"\0"
            ):
                start += _BLOCK
        size = 0 if info.type in _BARE else size
        at = start + -(-size // _BLOCK) * _BLOCK
        if start + size > len(plain):
            raise Damaged
        body = plain[start : start + size]
        if info.type in _RECORDS:
            said |= _records(body)
        elif info.type == tarfile.GNUTYPE_LONGNAME:
            said["path"] = body.rstrip(b"\0").decode("utf-8", "surrogateescape")
        elif info.type not in _SKIPPED:
            sparse = any(key.startswith("GNU.sparse") for key in said)
            kind = _KINDS.get(info.type, "a special file")
            yield Entry(said.get("path", info.name), kind or ("a special file" if sparse else ""), start, size)
            said = {}


def _records(body: bytes) -> dict[str, str]:
    """The records ``<length> <key>=<value>\\n`` of an extended header."""
    found, at = {}, 0
    while at < len(body):
        digits, space, _ = body[at : at + _LENGTH_DIGITS + 1].partition(b" ")
        record = body[at : at + _number(digits.decode("latin-1"))]
        key, sign, value = record[len(digits) + 1 :].partition(b"=")
        if not (space and key and sign and value.endswith(b"\n")):
            raise Damaged
        found[key.decode("utf-8", "surrogateescape")] = value[:-1].decode("utf-8", "surrogateescape")
        at += len(record)
    return found


def _number(text: str) -> int:
    """A length in decimal digits that an archive of ours can have."""
    if not (text.isascii() and text.isdigit() and len(text) <= _LENGTH_DIGITS):
        raise Damaged
    return int(text)
