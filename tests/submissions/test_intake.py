"""Who the learners are: class folders, single files, clashes and empty rooms."""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.records import Upload
from autograder.submissions.errors import IntakeError
from autograder.submissions.intake import collect

Uploads = Callable[[dict[str, bytes]], dict[str, Upload]]
Put = Callable[[dict[str, bytes]], Path]
EXPECTED = ["a1_causal_mask.py", "b2_split_heads.py"]
MASK = "a1_causal_mask.py"


def zipped() -> bytes:
    """A zip archive with one exercise."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr(MASK, b"x")
    return data.getvalue()


NOTEBOOK = json.dumps(
    {
        "nbformat": 4,
        "cells": [{"cell_type": "code", "metadata": {"nbgrader": {"grade_id": "a1_causal_mask"}}, "source": "x"}],
    }
).encode()


def test_each_folder_archive_and_notebook_is_a_learner_in_order(put: Put) -> None:
    """Uploads come sorted by learner, whatever they are."""
    room = put({"zoe.zip": zipped(), f"Ann/{MASK}": b"x", "mia.ipynb": NOTEBOOK, ".DS_Store": b"", "__MACOSX/x": b""})
    found = list(collect(room, EXPECTED))
    assert [upload.learner for upload in found] == ["Ann", "mia", "zoe"]
    assert all(len(upload.submissions) == 1 and not upload.refused and not upload.notes for upload in found)


def test_an_archive_gives_its_own_time_to_its_members(put: Put) -> None:
    """Times inside an archive are the learner's to write."""
    room = put({"smith.zip": zipped()})
    os.utime(room / "smith.zip", (0, 1_700_000_000))
    (upload,) = collect(room, EXPECTED)
    assert upload.submissions[0].received == "2023-11-14T22:13:20+00:00"


def test_a_timestamp_at_the_top_of_a_class_is_nobodys(uploads: Uploads) -> None:
    """One date cannot be every learner's."""
    upload = uploads({"smith.zip": zipped(), "timestamp.txt": b"1999-01-01"})["smith"]
    assert not str(upload.submissions[0].received).startswith("1999")


def test_a_lone_source_in_a_class_is_no_learner(put: Put) -> None:
    """It is said once, of the class and not of anybody in it."""
    room = put({f"ann/{MASK}": b"x", f"bob/{MASK}": b"x", MASK: b"x", "grades.csv": b""})
    found = collect(room, EXPECTED)
    assert found.notes == [f"{room}: left out, as it could be anybody's: {MASK}, grades.csv"]
    assert [upload.notes for upload in found] == [(), ()]


def test_two_uploads_of_one_learner_are_refused_together(uploads: Uploads) -> None:
    """Folder and archive of one name make one refused upload, and cost nobody else anything."""
    found = uploads({f"smith/{MASK}": b"x", "smith.zip": zipped(), f"jones/{MASK}": b"x"})
    assert list(found) == ["jones", "smith"]
    assert found["smith"] == Upload(
        "smith", refused="smith was handed in more than once, as smith/ and smith.zip: keep one of them"
    )
    assert len(found["jones"].submissions) == 1


def test_unicode_learners_have_one_form(uploads: Uploads) -> None:
    """Names of all languages are fine, and come composed."""
    assert list(uploads({f"Jose\u0301/{MASK}": b"x", "\u674e.zip": zipped()})) == ["Jos\u00e9", "\u674e"]


def test_two_forms_of_one_name_clash(put: Put) -> None:
    """Two spellings of the same letters are the same learner."""
    room = put({f"Jose\u0301/{MASK}": b"x", "Jos\u00e9.zip": zipped()})
    (upload,) = collect(room, EXPECTED)
    assert "handed in more than once" in str(upload.refused)


@pytest.mark.parametrize("name", ["smi\nth", "smith\u202e", "\udcff"])
def test_learners_with_unseen_characters_are_refused(room: Path, name: str) -> None:
    """The upload is there under an escaped name, so that it can be reported."""
    (room / name).mkdir()
    (upload,) = collect(room, EXPECTED)
    assert upload.learner.isprintable()
    why = "is not UTF-8 text: rename it" if name == "\udcff" else "a character that cannot be seen"
    assert why in str(upload.refused)


@pytest.mark.parametrize("name", ["smith", "smith.zip", "smith.ipynb"])
def test_a_link_at_the_top_is_refused(room: Path, name: str) -> None:
    """A link to a folder or file outside the class is not followed."""
    (room / name).symlink_to(room.parent)
    (upload,) = collect(room, EXPECTED)
    assert upload.learner == "smith"
    assert f"{name} is a symbolic link" in str(upload.refused)


@pytest.mark.parametrize("name", ["smith.rar", "smith.7z", "smith.tar.xz", "smith.tar.bz2"])
def test_archives_of_other_kinds_are_refused_by_name(uploads: Uploads, name: str) -> None:
    """The learner appears with the reason instead of being overlooked."""
    assert "which is not opened here: pack the files as .zip" in str(uploads({name: b"x"})["smith"].refused)


def test_an_upload_that_vanishes_costs_only_itself(put: Put) -> None:
    """Reading goes on with the next learner."""
    room = put({"ann.zip": zipped(), "bob.zip": zipped()})
    found = collect(room, EXPECTED)
    (room / "ann.zip").unlink()
    ann, bob = found
    assert "ann.zip cannot be read (No such file or directory)" in str(ann.refused)
    assert len(bob.submissions) == 1


def test_a_class_that_vanishes_is_nobodys_fault(put: Put) -> None:
    """Where the whole folder has gone, as with a stick that was pulled out, nobody is refused for it."""
    room = put({"ann.zip": zipped(), "bob.zip": zipped(), "cyd.zip": zipped()})
    found = iter(collect(room, EXPECTED))
    assert len(next(found).submissions) == 1
    shutil.rmtree(room)
    with pytest.raises(IntakeError, match="is not there any more: bring it back, and type the same command again"):
        next(found)


def test_a_path_that_is_missing_is_an_error_at_once(tmp_path: Path) -> None:
    """The error comes from the call, not from the first upload."""
    with pytest.raises(IntakeError, match="nowhere does not exist"):
        collect(tmp_path / "nowhere", EXPECTED)


@pytest.mark.parametrize("files", [{}, {".DS_Store": b""}, {MASK: b"x"}])
def test_a_class_without_learners_is_an_error(put: Put, files: dict[str, bytes]) -> None:
    """One line says what a learner would be, and what was there instead."""
    with pytest.raises(IntakeError, match="no learner was found in") as caught:
        collect(put(files), EXPECTED)
    assert "\n" not in str(caught.value)
    assert (MASK in str(caught.value)) == (MASK in files)


def test_a_file_of_another_kind_is_an_error(put: Put) -> None:
    """A path that can hold no upload is not guessed at."""
    with pytest.raises(IntakeError, match=r"grades\.csv is neither"):
        collect(put({"grades.csv": b""}) / "grades.csv", EXPECTED)


@pytest.mark.parametrize(("name", "data"), [("smith.zip", zipped()), ("smith.ipynb", NOTEBOOK)])
def test_a_single_archive_or_notebook_is_one_learner(put: Put, name: str, data: bytes) -> None:
    """The learner is named by the file."""
    (upload,) = collect(put({name: data, f"other/{MASK}": b"x"}) / name, EXPECTED)
    assert [(s.learner, s.exercise) for s in upload.submissions] == [("smith", "a1_causal_mask")]


def test_a_single_source_is_its_folders_learner(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lone .py file given by path is the work of whoever owns the folder, however the path is written."""
    monkeypatch.chdir(put({f"smith/{MASK}": b"x", "smith/b2_split_heads.py": b"y"}) / "smith")
    (upload,) = collect(Path(MASK), EXPECTED)
    assert [(s.learner, s.exercise, s.origin) for s in upload.submissions] == [
        ("smith", "a1_causal_mask", f"smith/{MASK}")
    ]


def test_a_timestamp_beside_a_single_file_counts(put: Put) -> None:
    """A file of an nbgrader folder keeps its time when given alone."""
    room = put({f"smith/{MASK}": b"x", "smith/timestamp.txt": b"2025-02-03 10:00:00 UTC"})
    (upload,) = collect(room / "smith" / MASK, EXPECTED)
    assert upload.submissions[0].received == "2025-02-03T10:00:00+00:00"


def test_a_single_source_with_a_wrong_name_gets_the_question(put: Put) -> None:
    """The learner's own check says what the file should be called."""
    (upload,) = collect(put({"smith/causal_mask.py": b"x"}) / "smith" / "causal_mask.py", EXPECTED)
    assert upload.notes[0].endswith("did you mean a1_causal_mask.py?")


@pytest.mark.parametrize("name", ["d2_count.yaml", "d2_count.yml"])
def test_the_sheet_of_a_quiz_is_taken(put: Put, name: str) -> None:
    """With either ending, in a folder or alone."""
    room = put({f"smith/{name}": b"questions: {}"})
    for path in (room, room / "smith" / name):
        (upload,) = collect(path, ["d2_count.yaml", MASK])
        assert [(s.exercise, s.source, s.learner) for s in upload.submissions] == [
            ("d2_count", b"questions: {}", "smith")
        ]


def test_a_single_link_is_refused(put: Put) -> None:
    """Given by path or found in a class, a link is not followed."""
    room = put({f"smith/real/{MASK}": b"x"})
    (room / "smith" / MASK).symlink_to(f"real/{MASK}")
    (upload,) = collect(room / "smith" / MASK, EXPECTED)
    assert "is a symbolic link" in str(upload.refused)
