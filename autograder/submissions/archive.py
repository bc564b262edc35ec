"""A zip or tar archive as a list of members. Read in memory; nothing is ever extracted."""

from __future__ import annotations

import gzip
import io
import itertools
import zipfile

from autograder.submissions import files, names, tar
from autograder.submissions.errors import Refusal
from autograder.submissions.member import Limit, Member

ENTRIES = 500
UNPACKED = Limit(4 << 20, "pack only the exercise files")

_GZIP = b"\x1f\x8b"
_PKZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
# long enough that no tar begins so: its first bytes are the name of its first file
_FOREIGN = {
    b"Rar!\x1a\x07": "RAR",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\xfd7zXZ\x00": "xz",
    b"BZh91AY&SY": "bzip2",
    b"\x28\xb5\x2f\xfd": "zstd",
}


def members(data: bytes, origin: str, received: str | None) -> list[Member]:
    """The files of an archive, sorted. Contents tell what it is, since browsers and people rename archives.

    Raises Refusal for what is damaged, encrypted, too large or leads out of the archive.
    """
    for magic, kind in _FOREIGN.items():
        if data.startswith(magic):
            raise foreign(origin, kind)
    if data.startswith(_GZIP):
        found = _tar(_gunzipped(data, origin), origin, received)
    elif data.startswith(_PKZIP):
        found = _zip(data, origin, received)
    else:
        found = _tar(data, origin, received)
    return sorted(found, key=lambda m: m.path)


def foreign(origin: str, kind: str) -> Refusal:
    """The reason for refusing an archive of a kind that is not opened."""
    return Refusal(f"{origin} is a {kind} archive, which is not opened here: pack the files as .zip")


def _damaged(origin: str) -> Refusal:
    return Refusal(f"{origin} cannot be unpacked, it may be damaged: pack the files again as .zip")


def _count(entries: int, origin: str) -> None:
    if entries > ENTRIES:
        raise Refusal(f"{origin} holds more than {ENTRIES} files and folders: pack only the exercise files")


def _zip(data: bytes, origin: str, received: str | None) -> list[Member]:
    # each entry of the directory starts with this mark: counted first, since zipfile builds an object for each
    _count(data.count(b"PK\x01\x02"), origin)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception:  # on hostile bytes zipfile fails in more ways than it documents
        raise _damaged(origin) from None
    entries = archive.infolist()
    # zipfile never gives more than an entry declares, so the declared sizes are a true bound
    if sum(entry.file_size for entry in entries) > UNPACKED.size:
        raise UNPACKED.refusal(f"{origin}, unpacked,")
    found = []
    for entry in entries:
        # zipfile cuts filename at a null character; the name as it was written shows it
        path = names.inside(entry.orig_filename, origin)
        if entry.flag_bits & 1:
            raise Refusal(f"{origin} is encrypted: pack the files again, without a password")
        if path and not names.hidden(path) and not entry.orig_filename.endswith(("/", "\\")):
            found.append(_zip_member(archive, entry, path, origin, received))
    return found


def _zip_member(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str, where: str, received: str | None) -> Member:
    origin = f"{where}: {names.shown(path)}"

    def read(limit: Limit) -> bytes:
        if entry.file_size > limit.size:
            raise limit.refusal(origin)
        # the other methods unpack whole blocks at once, whatever amount is asked for
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Refusal(f"{origin} is packed with an unusual method: pack the files again as ordinary .zip")
        try:
            with opened.open(entry) as file:
                return file.read(limit.size + 1)
        except Exception:  # as above
            raise _damaged(origin) from None

    mode = entry.external_attr >> 16
    # archives from Windows hold no mode at all
    return Member(path, origin, received, read, files.kind(mode) if mode >> 12 else "")


def _gunzipped(data: bytes, origin: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            plain = file.read(UNPACKED.size + 1)
    except Exception:  # as in _zip
        raise _damaged(origin) from None
    if len(plain) > UNPACKED.size:
        raise UNPACKED.refusal(f"{origin}, unpacked,")
    return plain


def _tar(plain: bytes, origin: str, received: str | None) -> list[Member]:
    found = []
    try:
        # one more than allowed is enough to say that there are too many
        entries = list(itertools.islice(tar.entries(plain), ENTRIES + 1))
    except tar.Damaged:
        raise _damaged(origin) from None
    _count(len(entries), origin)
    for entry in entries:
        path = names.inside(entry.name, origin)
        if path and not names.hidden(path) and entry.kind != tar.FOLDER:
            found.append(_tar_member(plain, entry, path, origin, received))
    return found


def _tar_member(plain: bytes, entry: tar.Entry, path: str, where: str, received: str | None) -> Member:
    origin = f"{where}: {names.shown(path)}"

    def read(limit: Limit) -> bytes:
        if entry.size > limit.size:
            raise limit.refusal(origin)
        return plain[entry.start : entry.start + entry.size]

    return Member(path, origin, received, read, entry.kind)
