"""The ledger: append-only, repaired after a crash, locked, and exact."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from autograder.ledger import NAME, Answer, Ledger, LedgerError
from autograder.records import Array, Observation, Observations, Raised, Submission, Upload

BIG = Array.of(np.arange(1000.0))
SEEN = Observations(
    {
        "p": Observation("p", "returned", parts={"y": BIG, "n": [1, 2.5, None, True, "é", b"\0\xff"], "#": {"##": -1}}),
        "q": Observation("q", "raised", raised=Raised("ValueError", "no", ((3, "f", "raise"),)), library="torch"),
        "r": Observation("r", "returned", parts={"x": float("nan"), "inf": float("-inf")}, changed=("x",)),
    },
    printed="hello",
    cpu_seconds=0.25,
    ready_made=(("argmax", 4),),
)


def answer(learner: str = "ada", source: bytes = b"x", asked: str = "v1", seen: Observations = SEEN) -> Answer:
    """An answer of one learner."""
    sha = Submission(learner, "e", source, "").sha256
    return Answer(learner, "e", sha, asked, f"{learner}/e.py", "2026-01-01T00:00:00+00:00", lambda: seen)


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    """Every kind of plain data survives, in a later process too."""
    with Ledger(tmp_path) as ledger:
        ledger.add_answer(answer())
    with Ledger(tmp_path) as ledger:
        (read,) = ledger.attempts("ada")
        seen = read.seen()
        assert seen.probes["p"] == SEEN.probes["p"]
        assert seen.probes["q"] == SEEN.probes["q"]
        assert np.isnan(seen.probes["r"].parts["x"])
        assert (seen.printed, seen.ready_made) == ("hello", (("argmax", 4),))
        assert ledger.holds(Submission("ada", "e", b"x", ""), "v1")
        assert not ledger.holds(Submission("ada", "e", b"y", ""), "v1")
        assert not ledger.holds(Submission("ada", "e", b"x", ""), "v2")
        assert not ledger.holds(Submission("bo", "e", b"x", ""), "v1")


def test_equal_arrays_are_kept_once(tmp_path: Path) -> None:
    """A class that gives the same answer does not grow the file by the answer's size each time."""
    with Ledger(tmp_path) as ledger:
        ledger.add_answer(answer())
        first = ledger.path.stat().st_size
        ledger.add_answer(answer("bo"))
        assert ledger.path.stat().st_size - first < first / 2
        assert ledger.attempts("bo")[0].seen().probes["p"].parts["y"] == BIG


@pytest.mark.parametrize("cut", [1, 20, 300])
def test_a_torn_last_line_is_repaired(tmp_path: Path, cut: int) -> None:
    """A crash in the middle of a line costs that line only, and the next line is whole again."""
    with Ledger(tmp_path) as ledger:
        ledger.add_answer(answer())
        whole = ledger.path.stat().st_size
        ledger.add_answer(answer("bo"))
    path = tmp_path / NAME
    path.write_bytes(path.read_bytes()[:-cut])
    with Ledger(tmp_path) as ledger:
        assert ledger.path.stat().st_size == whole
        assert ledger.damaged == 0
        assert not ledger.holds(Submission("bo", "e", b"x", ""), "v1")
        ledger.add_answer(answer("cleo"))
    with Ledger(tmp_path) as ledger:
        assert [len(ledger.attempts(name)) for name in ("ada", "bo", "cleo")] == [1, 0, 1]


def test_damage_in_the_middle_costs_its_line_only(tmp_path: Path) -> None:
    """A flipped byte is found by the line's checksum; lines after it still count."""
    with Ledger(tmp_path) as ledger:
        ledger.add_answer(answer(seen=Observations({})))
        ledger.add_answer(answer("bo", seen=Observations({})))
    path = tmp_path / NAME
    data = bytearray(path.read_bytes())
    data[data.index(b'"learner":"ada"') + 5] ^= 1
    path.write_bytes(data)
    with Ledger(tmp_path) as ledger:
        assert ledger.damaged == 1
        assert [len(ledger.attempts(name)) for name in ("ada", "bo")] == [0, 1]


def test_damage_at_the_end_is_told(tmp_path: Path) -> None:
    """A whole line that cannot be read is no torn one: it is cut off like that, but not in silence."""
    with Ledger(tmp_path) as ledger:
        ledger.add_answer(answer(seen=Observations({})))
    path = tmp_path / NAME
    whole = path.stat().st_size
    with path.open("ab") as file:
        file.write(b"00000000 {}\n00000000 {")
    with Ledger(tmp_path) as ledger:
        assert ledger.damaged == 1
    assert path.stat().st_size == whole


def test_a_ledger_that_is_no_file(tmp_path: Path) -> None:
    """A device would never end."""
    (tmp_path / NAME).symlink_to("/dev/zero")
    with pytest.raises(LedgerError, match="is not a file"):
        Ledger(tmp_path)


def test_an_answer_whose_blob_is_damaged_is_as_if_never_run(tmp_path: Path) -> None:
    """What can no longer be read back counts as not there, so that the next run does it again."""
    with Ledger(tmp_path) as ledger:
        ledger.add_answer(answer())
        ledger.add_answer(answer("bo", seen=Observations({})))
    path = tmp_path / NAME
    lines = path.read_bytes().splitlines(keepends=True)
    big = max((line for line in lines if b'"blob"' in line), key=len)
    path.write_bytes(b"".join(line for line in lines if line != big))
    with Ledger(tmp_path) as ledger:
        assert not ledger.holds(Submission("ada", "e", b"x", ""), "v1")
        assert [len(ledger.attempts(name)) for name in ("ada", "bo")] == [0, 1]
        ledger.add_answer(answer())
    with Ledger(tmp_path) as ledger:
        assert ledger.attempts("ada")[0].seen().probes["p"].parts["y"] == BIG


@pytest.mark.parametrize("entry", ["{}", '{"kind":"answer"}', '{"kind":"upload","learner":7}', "[]", "text"])
def test_lines_that_hold_something_else(tmp_path: Path, entry: str) -> None:
    """A line with a right checksum and a wrong content is damaged, not a crash."""
    with Ledger(tmp_path) as ledger:
        ledger.add_answer(answer(seen=Observations({})))
    forged = entry.encode()
    with open(tmp_path / NAME, "ab") as file:
        file.write(b"%08x %s\n" % (zlib.crc32(forged), forged))
    with Ledger(tmp_path) as ledger:
        assert len(ledger.attempts("ada")) == 1


@pytest.mark.parametrize("field", ["received", "cpu_seconds", "notes", "observed", "origin"])
def test_an_answer_in_another_form(tmp_path: Path, field: str) -> None:
    """What another version wrote is as if never run, and the others' answers can be marked."""
    with Ledger(tmp_path) as ledger:
        ledger.add_answer(answer(seen=Observations({})))
    line = (tmp_path / NAME).read_bytes().splitlines()[-1]
    other = json.dumps(json.loads(line[9:]) | {"learner": "bo", field: {}}).encode()
    with open(tmp_path / NAME, "ab") as file:
        file.write(b"%08x %s\n" % (zlib.crc32(other), other))
    with Ledger(tmp_path) as ledger:
        assert (len(ledger.attempts("ada")), ledger.attempts("bo")) == (1, [])


def test_earlier_hand_ins_are_kept(tmp_path: Path) -> None:
    """The sources themselves are there, so that an earlier attempt can be run again."""
    with Ledger(tmp_path) as ledger:
        ledger.add_answer(replace(answer(source=b"one"), source=b"one"))
        ledger.add_answer(replace(answer(source=b"two"), source=b"two"))
        assert [each.source for each in ledger.earlier("ada")] == [b"one", b"two"]


def test_two_graders(tmp_path: Path) -> None:
    """The second one is refused clearly, and can go on when the first is done."""
    with Ledger(tmp_path), pytest.raises(LedgerError, match="another grading is writing there"):
        Ledger(tmp_path)
    Ledger(tmp_path).close()


def test_a_file_that_is_no_ledger(tmp_path: Path) -> None:
    """Somebody's own file under that name is refused, not overwritten."""
    (tmp_path / NAME).write_text("my notes\n")
    with pytest.raises(LedgerError, match="is not a ledger"):
        Ledger(tmp_path)
    assert (tmp_path / NAME).read_text() == "my notes\n"


def test_the_latest_upload_counts(tmp_path: Path) -> None:
    """Who hands in again is listed once, with the newest sources; the same upload twice adds no line."""
    first = Upload("ada", (Submission("ada", "e", b"1", ""),))
    second = Upload("ada", (Submission("ada", "e", b"2", ""),))
    with Ledger(tmp_path) as ledger:
        ledger.add_upload(first)
        size = ledger.path.stat().st_size
        ledger.add_upload(first)
        assert ledger.path.stat().st_size == size
        ledger.add_upload(second)
        ledger.add_upload(Upload("aaron", refused="a link"))
        (aaron, ada) = ledger.uploads()
    assert (aaron.learner, aaron.refused) == ("aaron", "a link")
    assert ada.sources == {"e": second.submissions[0].sha256}
