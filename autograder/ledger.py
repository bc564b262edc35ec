"""The ledger: everything a grading has seen, in one append-only file, so that nothing is lost and nothing is run twice.

Each line is a checksum, a space and a JSON object. An `upload` says who handed in what, or why it was refused; an
`answer` what one submission answered to one exercise; a `blob` holds the bytes of a larger array, kept once for all
answers that have it; a `mark` is what a person gave a text; `drawn` says from what the hidden probes came. Lines are
only ever added. A line cut short by a crash is taken off when the ledger is opened next; the work it stood for is done
again.

What is judged by numbers has no marks in the ledger: they are made from it, so that a mended rubric or message needs no
code to run again.
"""

from __future__ import annotations

import json
import os
import time
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any

from autograder.errors import HeadcountError
from autograder.files import lock
from autograder.packing import pack, restored, squeezed, unpack
from autograder.records import Observation, Observations, Submission, Upload

NAME = "ledger.jsonl"
#: Seconds between two fsyncs: what a power cut may undo, and the next run does again.
SYNC_SECONDS = 1.0
_WORDS = ("learner", "exercise", "sha256", "asked", "origin", "unreadable", "digest", "printed", "packed")
_KINDS: Mapping[str, Mapping[str, Any]] = {
    "answer": dict.fromkeys(_WORDS, str) | {
        "received": (str, type(None)), "notes": list, "ready_made": (list, tuple), "cpu_seconds": (int, float),
        "blobs": list, "observed": list,
    },
    "upload": {"learner": str, "sources": dict, "refused": (str, type(None))},
}  # fmt: skip
#: What an entry of each kind holds: how to get at it, and of which types it is.
_HOLDS = {kind: (itemgetter(*fields), tuple(fields.values())) for kind, fields in _KINDS.items()}
#: Of a learner who is not known: see `Ledger._learners`.
NOTHING = array("q", (0, -1))


class LedgerError(HeadcountError):
    """Raised when a folder's ledger cannot be used: somebody else is writing it, or it is not a ledger."""


@dataclass(frozen=True)
class Given:
    """What a person gave a text, and said about it."""

    points: float
    comment: str = ""


@dataclass(frozen=True)
class Answer:
    """One attempt of one learner at one exercise, and what it answered. Read back, the observations come on demand."""

    learner: str
    exercise: str
    sha256: str
    """Of the source."""
    asked: str
    """Hash of what was asked: probes, driver, limits, engine and libraries."""
    origin: str
    received: str | None
    seen: Callable[[], Observations]
    unreadable: str = ""
    """Why the source could not be read as text; nothing was run then."""
    notes: tuple[str, ...] = ()
    digest: str = ""
    """Of the observations: two answers of one digest are the same answer."""
    source: bytes = b""
    """What was handed in, so that an earlier attempt can be run again. Empty when read back: see `Ledger.earlier`."""
    given: Given | None = None
    """What a person gave this very source last; None where nobody has looked at it."""


@dataclass(frozen=True)
class Handed:
    """What one learner handed in, as far as marks need it: exercise to source hash, or the refusal."""

    learner: str
    sources: Mapping[str, str] = field(default_factory=dict)
    refused: str | None = None


class Ledger:
    """The ledger of one results folder, locked for this process. Use as a context manager.

    Memory holds two numbers for each answer: which question it answers, and where its line is.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / NAME
        if self.path.exists() and not self.path.is_file():
            raise LedgerError(f"{self.path}: is not a file; name another folder")
        self._file = open(self.path, "a+b")  # noqa: SIM115 - closed by close()
        try:
            lock(self._file.fileno(), wait=False)
        except OSError:
            self._file.close()
            raise LedgerError(
                f"{folder}: another grading is writing there; wait for it, or name another folder"
            ) from None
        self._blobs: dict[bytes, int] = {}
        #: Of each learner two numbers for what was handed in, then two for each answer: which question it answers, and
        #: where its line is. An upload answers none; where nothing was handed in, its line is nowhere.
        self._learners: dict[str, array[int]] = {}
        self._given: dict[bytes, Given] = {}
        self.exercises: set[str] = set()
        """Those that anybody has answered."""
        self.drawn = ""
        """Fingerprint of the secret that the hidden probes were last drawn from."""
        self._synced = time.monotonic()
        self.damaged = self._read_index()

    def _read_index(self) -> int:
        """Find every line, cut off a torn last one, and return how many others are damaged."""
        self._file.seek(0)
        at, sound, damaged, line = 0, 0, 0, b"\n"
        for line in self._file:
            entry = _parse(line)
            try:
                if entry is None:
                    raise ValueError("damaged")
                self._index(entry, at)
                sound = at + len(line)
            except (ValueError, KeyError, TypeError):
                damaged += 1
            at += len(line)
        if at and not sound:
            raise LedgerError(f"{self.path}: is not a ledger of this program; name another folder")
        if at > sound:
            self._file.truncate(sound)
            damaged -= not line.endswith(b"\n")  # torn: a run ended while it wrote
        self._file.seek(0, os.SEEK_END)
        return damaged

    def _index(self, entry: Mapping[str, Any], at: int) -> None:
        kind = entry["kind"]
        fields, types = _HOLDS.get(kind, (None, ()))
        if fields and not all(map(isinstance, fields(entry), types)):
            raise ValueError(f"no {kind} of ours")  # written by something else, and as good as damaged
        if kind == "answer":
            if any(bytes.fromhex(blob) not in self._blobs for blob in entry["blobs"]):
                raise ValueError("its blobs are damaged")  # then it is as if it had never been run
            question = _question(entry["exercise"], entry["sha256"], entry["asked"])
            self._learners.setdefault(entry["learner"], NOTHING[:]).extend((question, at))
            self.exercises.add(entry["exercise"])
        elif kind == "blob":
            self._blobs[bytes.fromhex(entry["sha256"])] = at
        elif kind == "upload":
            self._learners.setdefault(entry["learner"], NOTHING[:])[1] = at
        elif kind == "mark":
            given = Given(float(entry["points"]), str(entry["comment"]))
            self._given[_place(entry["learner"], entry["exercise"], entry["sha256"])] = given
        elif kind == "drawn":
            self.drawn = str(entry["secret"])

    def holds(self, submission: Submission, asked: str) -> bool:
        """Whether this submission has been asked the same before."""
        question = _question(submission.exercise, submission.sha256, asked)
        return question in self._learners.get(submission.learner, NOTHING)[2::2]

    def note_drawn(self, fingerprint: str) -> None:
        """Append what the hidden probes are drawn from now, where that has changed."""
        if fingerprint != self.drawn:
            self.drawn = fingerprint
            self._append({"kind": "drawn", "secret": fingerprint})

    def add_answer(self, answer: Answer) -> None:
        """Append one answer, with the blobs it needs before it."""
        seen = answer.seen()
        self._used: set[str] = set()
        observed = [pack(observation.plain(), self._keep) for observation in seen.probes.values()]
        digest = sha256(json.dumps([observed, seen.ready_made]).encode()).hexdigest()
        entry = {
            "kind": "answer", "learner": answer.learner, "exercise": answer.exercise, "sha256": answer.sha256,
            "asked": answer.asked, "origin": answer.origin, "received": answer.received,
            "unreadable": answer.unreadable, "notes": list(answer.notes), "digest": digest,
            "printed": seen.printed, "ready_made": seen.ready_made, "cpu_seconds": round(seen.cpu_seconds, 3),
            "packed": squeezed(answer.source).decode(), "blobs": sorted(self._used), "observed": observed,
        }  # fmt: skip
        self._append(entry)

    def add_given(self, answer: Answer, given: Given) -> None:
        """Append what a person gave this answer. It holds for the same source of the same learner, until the next."""
        self._append({
            "kind": "mark", "learner": answer.learner, "exercise": answer.exercise, "sha256": answer.sha256,
            "points": given.points, "comment": given.comment,
        })  # fmt: skip

    def add_upload(self, upload: Upload) -> None:
        """Append what a learner handed in. The latest such line of a learner counts."""
        sources = {submission.exercise: submission.sha256 for submission in upload.submissions}
        entry = {"kind": "upload", "learner": upload.learner, "sources": sources, "refused": upload.refused}
        if not self.knows(upload.learner) or self._line(self._upload(upload.learner)) != entry:
            self._append(entry)

    def uploads(self) -> Iterator[Handed]:
        """What every learner handed in last, in the order of their names."""
        for learner in filter(self.knows, sorted(self._learners)):
            entry = self._line(self._upload(learner))
            yield Handed(entry["learner"], entry["sources"], entry["refused"])

    def knows(self, learner: str) -> bool:
        """Whether anything was ever handed in under this name."""
        return self._upload(learner) >= 0

    def _upload(self, learner: str) -> int:
        """Where the line of what a learner handed in last is."""
        return self._learners.get(learner, NOTHING)[1]

    def earlier(self, learner: str) -> Iterator[Submission]:
        """Everything this learner ever handed in, as it was."""
        for at in self._answers(learner):
            entry = self._line(at)
            source = restored(entry["packed"])
            yield Submission(learner, entry["exercise"], source, entry["origin"], entry["received"])

    def source(self, answer: Answer) -> bytes:
        """The bytes of an answer that was read back, as they were handed in."""
        found = (each.source for each in self.earlier(answer.learner) if each.sha256 == answer.sha256)
        return next(found, b"")

    def attempts(self, learner: str) -> list[Answer]:
        """Every answer of one learner to whatever was asked, in the order in which they were run."""
        return [self._answer(self._line(at)) for at in self._answers(learner)]

    def _answers(self, learner: str) -> array[int]:
        """Where the lines of a learner's answers are, in the order in which they were run."""
        return self._learners.get(learner, NOTHING)[3::2]

    def _append(self, entry: dict[str, Any]) -> None:
        self._write(entry, json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))

    def _write(self, entry: Mapping[str, Any], text: bytes) -> None:
        self._file.seek(0, os.SEEK_END)
        at = self._file.tell()
        self._file.writelines((b"%08x " % zlib.crc32(text), text, b"\n"))
        self._file.flush()
        self._index(entry, at)
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        """Wait until everything appended so far would survive a power cut."""
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def _line(self, at: int) -> dict[str, Any]:
        self._file.seek(at)
        entry = _parse(self._file.readline())
        if entry is None:
            raise LedgerError(f"{self.path}: changed while it was being read")
        return entry

    def _answer(self, entry: Mapping[str, Any]) -> Answer:
        def seen() -> Observations:
            observed = [Observation.from_plain(unpack(each, self._blob)) for each in entry["observed"]]
            ready_made = tuple((name, line) for name, line in entry["ready_made"])
            probes = {each.probe: each for each in observed}
            return Observations(probes, entry["printed"], entry["cpu_seconds"], ready_made)

        return Answer(
            entry["learner"], entry["exercise"], entry["sha256"], entry["asked"], entry["origin"], entry["received"],
            seen, entry["unreadable"], tuple(entry["notes"]), entry["digest"],
            given=self._given.get(_place(entry["learner"], entry["exercise"], entry["sha256"])),
        )  # fmt: skip

    def _keep(self, data: bytes) -> str:
        name = sha256(data)
        self._used.add(name.hexdigest())
        if name.digest() not in self._blobs:
            # put together by hand: each copy of a large answer on its way would count as memory
            text = b'{"kind":"blob","sha256":"%s","data":"%s"}'
            line = text % (name.hexdigest().encode(), squeezed(data))
            self._write({"kind": "blob", "sha256": name.hexdigest()}, line)
        return name.hexdigest()

    def _blob(self, name: str) -> bytes:
        return restored(self._line(self._blobs[bytes.fromhex(name)])["data"])

    def close(self) -> None:
        """Sync and unlock."""
        if not self._file.closed:
            self.sync()
            self._file.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


def _question(exercise: str, sha256: str, asked: str) -> int:
    """Stands for what was asked of one source, in this process only: nobody can foresee it."""
    return hash((exercise, sha256, asked))


def _place(*names: str) -> bytes:
    return sha256("\0".join(names).encode("utf-8", "replace")).digest()[:16]


def _parse(line: bytes) -> dict[str, Any] | None:
    """The entry of a line; None where the line is damaged or torn."""
    text = memoryview(line)[9:-1]
    if not line.endswith(b"\n") or line[:9] != b"%08x " % zlib.crc32(text):
        return None
    try:
        entry = json.loads(str(text, "utf-8"))
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None
