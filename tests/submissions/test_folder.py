"""A learner's folder: which files count, which are refused, which are noted."""

from __future__ import annotations

import io
import json
import os
import socket
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.records import Upload
from autograder.submissions import files
from autograder.submissions.errors import Refusal
from autograder.submissions.intake import collect
from autograder.submissions.member import SOURCE

Uploads = Callable[[dict[str, bytes]], dict[str, Upload]]
EXPECTED = ["a1_causal_mask.py", "b2_split_heads.py"]
MASK = "a1_causal_mask.py"


def zipped(name: str, content: bytes) -> bytes:
    """A zip archive of one file."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr(name, content)
    return data.getvalue()


def notebook(exercise: str) -> bytes:
    """A notebook with one exercise cell."""
    cell = {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": exercise}}, "source": "x"}
    return json.dumps({"nbformat": 4, "cells": [cell]}).encode()


def collected(room: Path) -> Upload:
    """The only upload of a class folder."""
    (upload,) = collect(room, EXPECTED)
    return upload


@pytest.mark.parametrize("inside", ["", "work/", "headcount/exercises/"])
def test_sources_at_the_top_or_in_one_folder_are_taken(uploads: Uploads, inside: str) -> None:
    """A learner may keep or lose the folders of the handout."""
    upload = uploads({f"smith/{inside}{MASK}": b"x", f"smith/{inside}b2_split_heads.py": b""})["smith"]
    assert (upload.refused, upload.notes) == (None, ())
    assert [(s.learner, s.exercise, s.source, s.origin) for s in upload.submissions] == [
        ("smith", "a1_causal_mask", b"x", f"smith/{inside}{MASK}"),
        ("smith", "b2_split_heads", b"", f"smith/{inside}b2_split_heads.py"),
    ]


def test_bytes_are_taken_as_they_are(uploads: Uploads) -> None:
    """Reading text is a later matter: a source that is not UTF-8 is a submission all the same."""
    assert uploads({f"smith/{MASK}": b"# caf\xe9\r\n"})["smith"].submissions[0].source == b"# caf\xe9\r\n"


def test_sources_notebooks_and_archives_may_lie_side_by_side(uploads: Uploads) -> None:
    """As long as each exercise comes once, it does not matter how."""
    upload = uploads(
        {
            f"smith/{MASK}": b"x",
            "smith/rest.ipynb": notebook("b2_split_heads"),
            "smith/more.zip": zipped("more/c2_multi_head_attention.py", b"y"),
        }
    )["smith"]
    assert [s.origin for s in upload.submissions] == [
        f"smith/{MASK}",
        "smith/rest.ipynb: cell b2_split_heads",
        "smith/more.zip: more/c2_multi_head_attention.py",
    ]


@pytest.mark.parametrize(
    ("other", "content", "origin"),
    [
        ("work.ipynb", notebook("a1_causal_mask"), "smith/work.ipynb: cell a1_causal_mask"),
        ("work.zip", zipped(MASK, b"x"), f"smith/work.zip: {MASK}"),
        (f"old/{MASK}", b"x", f"smith/old/{MASK}"),
    ],
)
def test_two_sources_of_an_exercise_are_refused(uploads: Uploads, other: str, content: bytes, origin: str) -> None:
    """Both are named, so that one can be taken away."""
    upload = uploads({f"smith/{MASK}": b"x", f"smith/{other}": content})["smith"]
    assert upload.submissions == ()
    assert upload.refused == (
        f"a1_causal_mask was handed in both in smith/{MASK} and in {origin}: keep only the one to be graded"
    )


def test_exercises_in_two_folders_are_refused(uploads: Uploads) -> None:
    """They may be two people's, as in a class folder given one level too high."""
    upload = uploads({f"group/ann/{MASK}": b"x", "group/bob/b2_split_heads.py": b"y"})["group"]
    assert upload.refused == (
        f"exercises lie in different folders (group/ann/{MASK} and group/bob/b2_split_heads.py):"
        " put all that is to be graded into one folder"
    )


def test_other_files_are_ignored_in_one_note(uploads: Uploads) -> None:
    """What the course does not ask for does no harm and makes no wall of text."""
    others = {f"smith/{name}": b"" for name in ("README.md", "a.png", "b.png", "c.png", "d.png", "e.png", ".DS_Store")}
    upload = uploads({f"smith/{MASK}": b"x", "smith/__pycache__/x.pyc": b"", **others})["smith"]
    assert len(upload.submissions) == 1
    assert upload.notes == (
        "ignored, as the course has no such exercise: smith/README.md, smith/a.png, smith/b.png, smith/c.png,"
        " smith/d.png and 1 more",
    )


def test_nearly_right_names_are_asked_about(uploads: Uploads) -> None:
    """The note says where the file is and what it was probably meant to be."""
    assert uploads({"jo/A1_causal_mask.py": b"x"})["jo"].notes == (
        "jo/A1_causal_mask.py differs from a1_causal_mask.py in upper and lower case: did you mean a1_causal_mask.py?",
        "nothing to grade was found: a file is called after its exercise, a cell has it as grade_id",
    )


def test_an_empty_folder_is_an_upload_with_a_note(room: Path) -> None:
    """Somebody who handed in nothing is still in the class."""
    (room / "smith").mkdir()
    upload = collected(room)
    assert (upload.learner, upload.submissions, upload.refused) == ("smith", (), None)
    assert "nothing to grade" in upload.notes[0]


def test_a_large_source_is_refused(uploads: Uploads) -> None:
    """A data file under an exercise's name is not read."""
    reason = uploads({f"smith/{MASK}": b"#" * (256 * 1024 + 1)})["smith"].refused
    assert str(reason).startswith(f"smith/{MASK} is larger than 256 kB: ")


def test_unseen_characters_in_a_file_name_are_refused(uploads: Uploads) -> None:
    """A name that only looks right is refused rather than guessed at."""
    reason = uploads({"smith/a1_causal_mask\u200b.py": b"x"})["smith"].refused
    assert "U+200B, ZERO WIDTH SPACE" in str(reason)


@pytest.mark.parametrize("name", [MASK, "work.ipynb", "work.zip"])
def test_a_link_is_never_followed(room: Path, name: str) -> None:
    """A link in place of an upload is refused even if it points at an honest file."""
    (room.parent / "secret").write_bytes(b"secret")
    (room / "smith").mkdir()
    (room / "smith" / name).symlink_to(room.parent / "secret")
    assert collected(room).refused == (
        f"smith/{name} is a symbolic link, and only ordinary files are opened: put the file itself there"
    )


def test_a_linked_folder_is_not_entered(room: Path) -> None:
    """What lies behind a link was not handed in."""
    (room.parent / "elsewhere").mkdir()
    (room.parent / "elsewhere" / MASK).write_bytes(b"x")
    (room / "smith").mkdir()
    (room / "smith" / "work").symlink_to(room.parent / "elsewhere")
    upload = collected(room)
    assert (upload.submissions, upload.refused) == ((), None)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_refused_without_waiting(room: Path) -> None:
    """Opening a pipe for reading would wait for a writer."""
    (room / "smith").mkdir()
    os.mkfifo(room / "smith" / MASK)
    assert "is a named pipe" in str(collected(room).refused)


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="needs sockets in the file system")
def test_a_socket_is_refused(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket is no file."""
    (room / "smith").mkdir()
    monkeypatch.chdir(room / "smith")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(MASK)
        assert "is a socket" in str(collected(room).refused)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes and devices")
@pytest.mark.parametrize(("make", "word"), [(os.mkfifo, "a named pipe"), (Path.mkdir, "a folder")])
def test_the_open_file_is_asked_again(tmp_path: Path, make: Callable[[Path], None], word: str) -> None:
    """A file exchanged after the folder was listed is refused without waiting."""
    make(tmp_path / MASK)
    with pytest.raises(Refusal, match=f"is {word}"):
        files.read(tmp_path / MASK, MASK, SOURCE)


def test_a_link_put_in_place_later_is_not_followed(tmp_path: Path) -> None:
    """The system itself refuses to open a link."""
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / MASK).symlink_to("secret")
    with pytest.raises(Refusal, match="cannot be read"):
        files.read(tmp_path / MASK, MASK, SOURCE)


def test_a_device_is_called_by_its_name() -> None:
    """Devices need special rights to make, so only the word is checked."""
    assert files.kind(stat.S_IFCHR) == files.kind(stat.S_IFBLK) == "a device"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_refused(uploads: Uploads, put: Callable[[dict[str, bytes]], Path]) -> None:
    """Missing permissions cost one upload and are said as such."""
    (put({f"smith/{MASK}": b"x"}) / "smith" / MASK).chmod(0)
    assert "cannot be read (Permission denied)" in str(uploads({f"jones/{MASK}": b"x"})["smith"].refused)


def test_the_time_is_that_of_the_file(put: Callable[[dict[str, bytes]], Path]) -> None:
    """Without a timestamp the file's own time counts."""
    room = put({f"smith/{MASK}": b"x"})
    os.utime(room / "smith" / MASK, (0, 1_700_000_000))
    assert collected(room).submissions[0].received == "2023-11-14T22:13:20+00:00"


def test_a_timestamp_counts_for_all_beside_it(uploads: Uploads) -> None:
    """nbgrader writes one into the assignment's folder; it is not a stray file."""
    upload = uploads(
        {
            f"smith/hw/{MASK}": b"x",
            "smith/hw/rest.zip": zipped("b2_split_heads.py", b"y"),
            "smith/hw/timestamp.txt": b"2025-02-03 10:00:00 UTC",
        }
    )["smith"]
    assert [s.received for s in upload.submissions] == ["2025-02-03T10:00:00+00:00"] * 2
    assert upload.notes == ()


def test_an_unreadable_timestamp_leaves_the_files_time(put: Callable[[dict[str, bytes]], Path]) -> None:
    """The note says that the files' own times were taken."""
    room = put({f"smith/{MASK}": b"x", "smith/timestamp.txt": b"soon"})
    os.utime(room / "smith" / MASK, (0, 1_700_000_000))
    upload = collected(room)
    assert upload.submissions[0].received == "2023-11-14T22:13:20+00:00"
    assert "smith/timestamp.txt holds no readable date" in upload.notes[0]
