"""Archives: read in memory, with every trick refused and every honest habit accepted."""

from __future__ import annotations

import gzip
import io
import random
import stat
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from autograder.records import Upload
from autograder.submissions import archive, tar
from autograder.submissions.errors import Refusal
from autograder.submissions.member import SOURCE

Uploads = Callable[[dict[str, bytes]], dict[str, Upload]]
MASK = "a1_causal_mask.py"
GOOD = b"def causal_mask(T): ...\n"


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The bytes of a zip archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as file:
        for name, content in entries:
            file.writestr(name, content)
    return data.getvalue()


def entry(name: str, type: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    """An entry for a tar archive."""
    info = tarfile.TarInfo(name)
    info.type = type
    return info


def tarred(*entries: tuple[str | tarfile.TarInfo, bytes], mode: str = "") -> bytes:
    """The bytes of a tar archive, packed with gzip for mode ``gz``."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as file:
        for name, content in entries:
            info = entry(name) if isinstance(name, str) else name
            info.size = len(content)
            file.addfile(info, io.BytesIO(content))
    return gzip.compress(data.getvalue()) if mode == "gz" else data.getvalue()


def header(name: str, size: bytes) -> bytes:
    """A tar header with a size field and a valid checksum over it."""
    raw = bytearray(tarfile.TarInfo(name).tobuf())
    raw[124:136] = size
    raw[148:156] = b" " * 8
    raw[148:156] = b"%06o\0 " % sum(raw)
    return bytes(raw)


@pytest.fixture
def smith(uploads: Uploads) -> Callable[..., Upload]:
    """Hands in one archive, smith.zip unless named otherwise, and returns what became of it."""
    return lambda data, name="smith.zip": uploads({name: data})["smith"]


Smith = Callable[..., Upload]


def refusal(upload: Upload) -> str:
    """Why it was refused; refused it must be, and hold nothing."""
    assert upload.submissions == ()
    assert upload.refused is not None
    return upload.refused


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("smith.zip", zipped((MASK, GOOD))),
        ("smith.zip", zipped((MASK, GOOD), method=zipfile.ZIP_STORED)),
        ("smith.ZIP", zipped((f"smith/{MASK}", GOOD), ("smith/.DS_Store", b"x"), (f"__MACOSX/smith/._{MASK}", b"x"))),
        ("smith.zip", zipped(("smith\\", b""), (f"smith\\exercises\\{MASK}", GOOD))),
        ("smith.tar", tarred((MASK, GOOD))),
        ("smith.tar.gz", tarred((entry("smith", tarfile.DIRTYPE), b""), (f"./smith/{MASK}", GOOD), mode="gz")),
        ("smith.tgz", tarred((MASK, GOOD), mode="gz")),
        ("smith.tgz", zipped((MASK, GOOD))),
        ("smith.zip", tarred((MASK, GOOD))),
    ],
)
def test_honest_archives_are_taken(smith: Smith, name: str, data: bytes) -> None:
    """At the top or in a leading folder, from any system, and under a wrong but harmless ending."""
    upload = smith(data, name)
    assert (upload.refused, upload.notes) == (None, ())
    assert [(s.exercise, s.source) for s in upload.submissions] == [("a1_causal_mask", GOOD)]


def test_the_origin_names_archive_and_entry(smith: Smith) -> None:
    """A person can find the file again."""
    assert smith(zipped((f"work/{MASK}", GOOD))).submissions[0].origin == f"smith.zip: work/{MASK}"


def test_an_empty_archive_has_nothing_to_grade(smith: Smith) -> None:
    """An archive without files is an upload without submissions, with a note."""
    upload = smith(zipped())
    assert (upload.refused, upload.submissions) == (None, ())
    assert "nothing to grade" in upload.notes[0]


@pytest.mark.parametrize("path", ["/etc/cron.d/x", "../x", "a/../../x", "C:\\x"])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_paths_out_of_the_archive_are_refused(smith: Smith, pack: Callable[..., bytes], path: str) -> None:
    """One such path refuses the whole, whether the file is wanted or not."""
    assert "leads out of the archive" in refusal(smith(pack((path, b"x"), (MASK, GOOD)), "smith.zip"))


@pytest.mark.parametrize("name", ["a1_causal_mask\u202e.py", "a1\x07.py", "notes\u200b.txt"])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_unseen_characters_are_refused(smith: Smith, pack: Callable[..., bytes], name: str) -> None:
    """A name that looks like another one is no name."""
    assert "a character that cannot be seen" in refusal(smith(pack((name, b"x"))))


def test_a_null_in_a_zip_name_does_not_shorten_it(smith: Smith) -> None:
    """A name cut at a null would turn another file into an expected one."""
    data = zipped((f"{MASK}X.txt", GOOD)).replace(f"{MASK}X".encode(), f"{MASK}\0".encode())
    assert "U+0000" in refusal(smith(data))


def test_a_link_in_a_zip_is_refused(smith: Smith) -> None:
    """A link in place of an exercise is never followed."""
    info = zipfile.ZipInfo(MASK)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert f"smith.zip: {MASK} is a symbolic link" in refusal(smith(zipped((info, b"/etc/hostname"))))


@pytest.mark.parametrize(
    ("type", "word"),
    [
        (tarfile.SYMTYPE, "a symbolic link"),
        (tarfile.LNKTYPE, "a hard link"),
        (tarfile.CHRTYPE, "a device"),
        (tarfile.BLKTYPE, "a device"),
        (tarfile.FIFOTYPE, "a named pipe"),
        (tarfile.GNUTYPE_SPARSE, "a special file"),
        (tarfile.CONTTYPE, "a special file"),
    ],
)
def test_special_entries_of_a_tar_are_refused(smith: Smith, type: bytes, word: str) -> None:
    """Only a plain file can be an exercise."""
    reason = refusal(smith(tarred((entry(MASK, type), b""), mode="gz"), "smith.tar.gz"))
    assert reason == f"smith.tar.gz: {MASK} is {word}, and only ordinary files are opened: put the file itself there"


def test_special_entries_nobody_asked_for_are_ignored(smith: Smith) -> None:
    """A link beside the exercises is noted like any other file."""
    upload = smith(tarred((MASK, GOOD), (entry("latest", tarfile.SYMTYPE), b"")), "smith.tar")
    assert len(upload.submissions) == 1
    assert upload.notes == ("ignored, as the course has no such exercise: smith.tar: latest",)


def test_an_encrypted_zip_is_refused(smith: Smith) -> None:
    """Nobody here knows the password."""
    data = bytearray(zipped((MASK, GOOD)))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert refusal(smith(bytes(data))) == "smith.zip is encrypted: pack the files again, without a password"


def test_a_zip_that_declares_too_much_is_refused(smith: Smith) -> None:
    """Nothing is unpacked to find out."""
    reason = refusal(smith(zipped((MASK, b"#" * (5 << 20)))))
    assert reason == "smith.zip, unpacked, is larger than 4 MB: pack only the exercise files"


def test_a_zip_that_declares_too_little_is_refused(smith: Smith) -> None:
    """The size an archive claims is not believed."""
    data = bytearray(zipped((MASK, b"#" * (5 << 20))))
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (100).to_bytes(4, "little")
    assert "cannot be unpacked" in refusal(smith(bytes(data)))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_without_a_brake_are_refused(smith: Smith, method: int) -> None:
    """bzip2 and lzma unpack whole blocks in memory, whatever amount is asked for."""
    assert "unusual method" in refusal(smith(zipped((MASK, GOOD), method=method)))


def test_a_tar_that_grows_too_much_is_refused(smith: Smith) -> None:
    """Unpacking stops at the limit."""
    reason = refusal(smith(tarred((MASK, b"#" * (5 << 20)), mode="gz"), "smith.tgz"))
    assert reason == "smith.tgz, unpacked, is larger than 4 MB: pack only the exercise files"


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_large_source_in_an_archive_is_refused(smith: Smith, pack: Callable[..., bytes]) -> None:
    """A file in an archive has the same limit as one outside."""
    reason = refusal(smith(pack((MASK, b"#" * (256 * 1024 + 1)))))
    assert reason.startswith(f"smith.zip: {MASK} is larger than 256 kB")


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_source_of_just_the_limit_is_taken(smith: Smith, pack: Callable[..., bytes]) -> None:
    """The limit itself is allowed."""
    assert len(smith(pack((MASK, b"#" * (256 * 1024)))).submissions[0].source) == 256 * 1024


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_too_many_entries_are_refused(smith: Smith, pack: Callable[..., bytes]) -> None:
    """500 are allowed, one more is not."""
    entries = [(MASK, GOOD), *((f"f{i}", b"") for i in range(499))]
    assert len(smith(pack(*entries)).submissions) == 1
    assert "holds more than 500 files and folders" in refusal(smith(pack(*entries, ("last", b""))))


def test_a_large_archive_is_refused_unread(smith: Smith) -> None:
    """8 MB are enough for any course."""
    assert refusal(smith(bytes((8 << 20) + 1))) == "smith.zip is larger than 8 MB: pack only the exercise files"


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_two_folders_with_the_same_exercise_are_refused(smith: Smith, pack: Callable[..., bytes]) -> None:
    """The message names both."""
    assert refusal(smith(pack((f"a/{MASK}", GOOD), (f"b/{MASK}", GOOD)))) == (
        f"a1_causal_mask was handed in both in smith.zip: a/{MASK} and in smith.zip: b/{MASK}:"
        " keep only the one to be graded"
    )


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_the_same_entry_twice_is_refused(smith: Smith, pack: Callable[..., bytes]) -> None:
    """Two programs could unpack two different files."""
    assert "was handed in twice in smith.zip" in refusal(smith(pack((MASK, GOOD), (MASK, b"other"))))


def test_a_look_alike_name_is_not_taken_but_explained(smith: Smith) -> None:
    """A Cyrillic letter makes another file, which is said by its Unicode name."""
    upload = smith(zipped(("a1_causal_m\N{CYRILLIC SMALL LETTER A}sk.py", GOOD)))
    assert (upload.refused, upload.submissions) == (None, ())
    assert "CYRILLIC SMALL LETTER A" in upload.notes[0]
    assert upload.notes[0].endswith("did you mean a1_causal_mask.py?")


def test_an_exercise_too_deep_is_noted(smith: Smith) -> None:
    """The note says why a rightly named file was not taken."""
    upload = smith(zipped((f"a/b/{MASK}", GOOD), ("a/b/c/b2_split_heads.py", GOOD)))
    assert [s.exercise for s in upload.submissions] == ["a1_causal_mask"]
    assert upload.notes == ("smith.zip: a/b/c/b2_split_heads.py was not taken: it lies more than 2 folders down",)


def test_an_archive_in_an_archive_is_not_opened(smith: Smith) -> None:
    """Boxes in boxes are how bombs are built."""
    upload = smith(zipped(("inner.zip", zipped((MASK, GOOD)))))
    assert upload.submissions == ()
    assert upload.notes[0] == "smith.zip: inner.zip was not opened: it is an archive inside an archive"


@pytest.mark.parametrize("name", ["smith.zip", "smith.tar", "smith.tgz"])
@pytest.mark.parametrize("data", [b"", b"hello", b"PK\x03\x04 torn", b"\x1f\x8b torn", zipped((MASK, GOOD))[:-30]])
def test_damaged_archives_are_refused(smith: Smith, name: str, data: bytes) -> None:
    """Empty, torn and wrongly named files get one sentence."""
    assert refusal(smith(data, name)) == f"{name} cannot be unpacked, it may be damaged: pack the files again as .zip"


def test_damaged_contents_are_refused(smith: Smith) -> None:
    """A checksum that does not fit means that the file is not what was packed."""
    data = zipped((MASK, GOOD), method=zipfile.ZIP_STORED).replace(GOOD, GOOD.upper())
    assert f"smith.zip: {MASK} cannot be unpacked" in refusal(smith(data))


def test_a_tar_damaged_in_the_middle_is_refused(smith: Smith) -> None:
    """A broken second header does not quietly become the end."""
    data = bytearray(tarred((MASK, GOOD), ("b2_split_heads.py", GOOD)))
    data[1024 + 10] ^= 1
    assert "cannot be unpacked" in refusal(smith(bytes(data), "smith.tar"))


def test_a_tar_that_ends_early_is_refused(smith: Smith) -> None:
    """A file that is not all there is not graded."""
    assert "cannot be unpacked" in refusal(smith(tarred((MASK, b"#" * 2000))[:1500], "smith.tar"))


@pytest.mark.parametrize("size", [-512, -1, -1024])
@pytest.mark.parametrize("before", [b"", tarfile.TarInfo("x").tobuf()])
def test_negative_sizes_in_a_tar_are_refused(smith: Smith, before: bytes, size: int) -> None:
    """A size that leads backwards must not be followed round and round."""
    field = b"\xff" + (256**11 + size).to_bytes(11, "big")
    refusal(smith(before + header(MASK, field), "smith.tar"))


@pytest.mark.parametrize(
    ("magic", "kind"), [(b"Rar!\x1a\x07\x01\x00", "RAR"), (b"7z\xbc\xaf\x27\x1c", "7z"), (b"BZh91AY&SY", "bzip2")]
)
def test_other_archives_under_a_known_name_are_told_apart(smith: Smith, magic: bytes, kind: str) -> None:
    """Renaming a RAR file does not make it a zip."""
    assert f"is a {kind} archive, which is not opened here: pack the files as .zip" in refusal(smith(magic + b"x" * 99))


def test_a_folder_called_like_a_magic_number_is_just_a_folder(smith: Smith) -> None:
    """A tar starts with a file name, which may begin like another kind of archive."""
    assert len(smith(tarred((f"PKumar/{MASK}", GOOD)), "smith.tar").submissions) == 1


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_random_damage_never_escapes(pack: Callable[..., bytes]) -> None:
    """Whatever bytes come, the answer is members or a refusal."""
    rng = random.Random(0)
    whole = pack((f"s/{MASK}", GOOD * 9), ("s/é.txt", b"x"))
    for _ in range(500):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 6)):
            data[rng.randrange(len(data))] = rng.choice([0, 128, 255, rng.randrange(256)])
        try:
            for member in archive.members(bytes(data), "smith.zip" if pack is zipped else "smith.tar", None):
                member.read(SOURCE)
        except Refusal:
            continue


@pytest.mark.parametrize(
    "records", [b"1", b"1 ", b"0 a", b"0 =\n", b"11 hdrcharset=", b"8 a=b\n", b"99999999999 a=b\n"]
)
def test_extended_headers_cost_no_more_than_their_length(smith: Smith, records: bytes) -> None:
    """Megabytes of records that are none are damage, and nobody searches them for hours first."""
    info = entry("x", tarfile.XHDTYPE)
    body = records * (3_000_000 // len(records))
    assert "cannot be unpacked" in refusal(smith(tarred((info, body), (MASK, GOOD)), "smith.tar"))


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_every_form_of_tar_is_read_like_python_reads_it(form: int) -> None:
    """Long names, other alphabets, other kinds of entries and times of day: the same names, kinds and contents."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=form, encoding="utf-8") as file:
        for name in ("a.py", f"{'folder/' * 17}b.py", "café/名.py", "d/", "link"):
            info = entry(name, {"d/": tarfile.DIRTYPE, "link": tarfile.SYMTYPE}.get(name, tarfile.REGTYPE))
            info.mtime, info.linkname, content = 1.5, "a.py" if name == "link" else "", name.encode() * 99
            info.size = len(content) if info.isreg() else 0
            file.addfile(info, io.BytesIO(content))
    with tarfile.open(fileobj=io.BytesIO(data.getvalue())) as file:
        known = [
            (info.name.rstrip("/"), opened.read() if (opened := info.isreg() and file.extractfile(info)) else b"")
            for info in file
        ]
    plain = data.getvalue()
    found = list(tar.entries(plain))
    assert [(each.name.rstrip("/"), plain[each.start : each.start + each.size]) for each in found] == known
    assert [each.kind for each in found] == ["", "", "", tar.FOLDER, "a symbolic link"]


def test_a_sparse_file_of_newer_kind_is_a_special_file(smith: Smith) -> None:
    """What its records say about holes would have to be believed to know its contents."""
    info = entry(MASK)
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}
    assert "is a special file" in refusal(smith(tarred((info, GOOD)), "smith.tar"))


def test_what_other_programs_add_to_a_tar_does_no_harm(smith: Smith) -> None:
    """A global header, as git archive writes, and attributes, as macOS does."""
    info = entry(MASK)
    info.pax_headers = {"LIBARCHIVE.xattr.com.apple.provenance": "AQAA" * 200, "mtime": "1700000000.25"}
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", pax_headers={"comment": "0" * 40}) as file:
        info.size = len(GOOD)
        file.addfile(info, io.BytesIO(GOOD))
    assert smith(data.getvalue(), "smith.tar").submissions[0].source == GOOD
