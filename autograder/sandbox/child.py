"""One worker as the grader sees it: three pipes and a handle, one question at a time.

Nothing that arrives is trusted: it is an answer with the number of its question, or `Fatal` says what became of it.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Mapping, Sequence

from autograder.course.model import Limits
from autograder.plain import Plain, clean
from autograder.records import Outcome
from autograder.sandbox import wire
from autograder.sandbox.callbacks import MOST_ASKED, Callbacks, Offered
from autograder.sandbox.launch import SandboxError
from autograder.sandbox.worker import CONFINED

#: Seconds that are waited at a stretch. Whoever wakes up later than asked for has stood still, and the worker with it.
STRETCH = 1.0
#: Killed after this share of its processor time, a worker had used it up: on a busy machine the account by which the
#: kernel kills runs ahead of the one it reports.
USED_UP = 0.5
#: What a pipe holds: a read never gives more, and room for more would have to be got from the system each time.
PIPE = 1 << 16


class Fatal(Exception):
    """Raised when a worker cannot answer any more; holds what became of it."""

    def __init__(self, outcome: Outcome, detail: str) -> None:
        self.outcome: Outcome = outcome
        self.detail = detail


class Child:
    """One forked worker and the pipes to it. `kept` counts the bytes of its answers.

    Deadlines are by the clock, and give back what is `lost` to a busy or frozen machine: that is nobody's slowness.
    """

    def __init__(self, lane: socket.socket, limits: Limits) -> None:
        self.lane, self.limits = lane, limits
        self.cpu, self._status, self._confined = 0.0, None, False
        self.ready_made: tuple[tuple[str, int], ...] = ()
        self._buffer, self._output = bytearray(), bytearray()
        self.kept = 0
        self._frozen = 0.0
        question_end, self._questions = os.pipe2(os.O_CLOEXEC)
        self._answers, answer_end = os.pipe2(os.O_CLOEXEC)
        self._prints, print_end = os.pipe2(os.O_CLOEXEC)
        theirs = [question_end, answer_end, print_end]
        request = {"cpu_seconds": math.ceil(limits.cpu_seconds), "memory_mb": limits.memory_mb}
        try:
            socket.send_fds(lane, [json.dumps(request).encode()], theirs)
            reply, handles, _, _ = socket.recv_fds(lane, 65536, 1)
        except OSError as error:
            reply, handles = json.dumps({"reason": str(error)}).encode(), []
        finally:
            for end in theirs:
                os.close(end)
        if not handles:
            for end in (self._questions, self._answers, self._prints):
                os.close(end)
            reason = json.loads(reply or b"{}").get("reason", "the zygote has gone")
            raise SandboxError(f"no worker process could be started: {reason}")
        self._handle = handles[0]
        for end in (self._questions, self._answers, self._prints):
            os.set_blocking(end, False)
        self._poller = select.poll()
        for end in (self._answers, self._prints, self._handle):
            self._poller.register(end, select.POLLIN)

    def ask(
        self, question: bytes, deadline: float, callbacks: Offered | Callable[[], Offered] | None = None
    ) -> dict[str, Plain]:
        """The answer to an encoded question. Raises Fatal when the worker died, was too slow or broke the protocol."""
        number = int.from_bytes(os.urandom(7), "little")  # so that no answer can be prepared before its question
        deadline = min(deadline, time.monotonic() + self.limits.wall_seconds)
        if not self._confined:
            self._await(len(CONFINED), deadline)
            self._confined = self._buffer.startswith(CONFINED)
            del self._buffer[: len(CONFINED)]
        if self._buffer or self._read_answers():
            raise Fatal("protocol", "bytes arrived before the question was asked")
        self._write(wire.numbered(question, number), deadline)
        answering = Callbacks(callbacks or {}, self.limits)
        while (answer := self._receive(number, deadline)).get("outcome") == "asks":
            if answering.exhausted:
                raise Fatal("cpu_limit", f"more than {2 * MOST_ASKED:,} calls of what it was given")
            self._write(answering.reply(answer, number), deadline)
            if self._left(deadline) <= 0:  # what was sent ahead is read without waiting
                raise Fatal("timed_out", f"no answer within {in_seconds(self.limits.wall_seconds)}")
        self.kept += self._length
        answering.put_notes_into(answer)
        return answer

    def notice(self, answer: Mapping[str, Plain], names: Sequence[str], *, afresh: bool = False) -> None:
        """Add the ready-made names that an answer reports, of those asked for; start anew for a new source."""
        found = [] if afresh else list(self.ready_made)
        listed = answer.get("ready_made")
        for item in listed if isinstance(listed, list) else []:
            match item:
                case [str(name), int(line)] if name in names:
                    found.append((name, line))
        self.ready_made = tuple(sorted(set(found), key=lambda mention: mention[::-1]))

    def _receive(self, number: int, deadline: float) -> dict[str, Plain]:
        self._await(wire.HEADER.size, deadline)
        try:
            length = wire.payload_length(bytes(self._buffer[: wire.HEADER.size]))
            if length > wire.MAX_FRAME:
                raise Fatal("too_large", f"an answer of {length >> 20} MB, at most {wire.MAX_FRAME >> 20} MB are read")
            self._await(wire.HEADER.size + length, deadline)
            payload = bytes(self._buffer[wire.HEADER.size : wire.HEADER.size + length])
            answer = wire.decode(payload)
        except wire.WireError as problem:
            raise Fatal("protocol", f"a malformed answer ({problem})") from None
        del self._buffer[: wire.HEADER.size + length]
        self._length = length
        if not isinstance(answer, dict) or answer.get("number") != number:
            raise Fatal("protocol", "an answer that belongs to no question")
        return answer

    def _write(self, data: bytes, deadline: float) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._questions, rest) :]
            except BlockingIOError:
                if self._left(deadline) <= 0:
                    raise Fatal("timed_out", "it did not read its input") from None
                _ready(self._questions, select.POLLOUT, 0.05)
            except BrokenPipeError:
                raise self._death() from None

    def _await(self, count: int, deadline: float) -> None:
        """Read until `count` bytes are there. Death of the worker is told by its pidfd, never by a closed pipe."""
        while len(self._buffer) < count:
            left = self._left(deadline)
            if left <= 0 and not self._confined:
                raise Fatal("not_run", "the worker was not ready in time")
            if left <= 0:
                raise Fatal("timed_out", f"no answer within {in_seconds(self.limits.wall_seconds)}")
            until = time.monotonic() + (wait := min(left, STRETCH))
            ready = dict(self._poller.poll(wait * 1000))
            self._frozen += max(0.0, time.monotonic() - until)
            if self._prints in ready and not self._read_prints():
                self._poller.unregister(self._prints)  # closed by the submission; answers may still come
            if self._answers in ready and self._read_answers():
                continue
            if self._handle in ready:
                raise self._death()
            if self._answers in ready:
                if _ready(self._handle, select.POLLIN, 0.5):
                    raise self._death()
                raise Fatal("protocol", "the answer channel was closed by the submission")

    def _left(self, deadline: float) -> float:
        """Seconds until a deadline; what was lost is looked up only where they seem to be over."""
        left = deadline - time.monotonic()
        return left if left > 0 else left + self.lost()

    def lost(self) -> float:
        """Seconds in which the worker could not go on, through no fault of its own."""
        return self._frozen + _waited(self._handle)

    def _read_answers(self) -> bool:
        try:
            piece = os.read(self._answers, PIPE)
        except BlockingIOError:
            return False
        self._buffer += piece
        return bool(piece)

    def _read_prints(self) -> bool:
        """Keep what was printed up to the cap; beyond it, drain and forget, so that printing never blocks a worker."""
        try:
            piece = os.read(self._prints, PIPE)
        except BlockingIOError:
            return False
        self._output += piece[: max(0, self.limits.output_kb * 1024 - len(self._output))]
        return bool(piece)

    def _death(self) -> Fatal:
        """What became of a worker that has ended."""
        status = self._ended(5.0)
        if status is None:
            return Fatal("not_run", "the worker process has gone")
        if not self._confined:
            return Fatal("not_run", "the worker could not be confined")
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if number == signal.SIGKILL and self.cpu >= self.limits.cpu_seconds * USED_UP:
                return Fatal("cpu_limit", f"more than {in_seconds(self.limits.cpu_seconds)} of processor time")
            if number == signal.SIGKILL:  # no worker can send it to itself
                return Fatal("not_run", "the worker was killed from outside, perhaps because memory ran out")
            return Fatal("crashed", _signal_name(number))
        return Fatal("exited", f"status {os.WEXITSTATUS(status)}")

    def _ended(self, seconds: float) -> int | None:
        self.lane.settimeout(seconds)
        try:
            while self._status is None:
                event = json.loads(self.lane.recv(65536) or b"{}")
                if event.get("event") == "ended":
                    self._status, self.cpu = event["status"], event["cpu"]
                elif not event:
                    return None
        except OSError:
            return None
        finally:
            self.lane.settimeout(None)
        return self._status

    def close(self) -> None:
        """End the worker, whatever it is doing, and collect its status."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        self._ended(10.0)
        while self._read_prints():  # what was printed before the end is still in the pipe
            pass
        for end in (self._questions, self._answers, self._prints, self._handle):
            os.close(end)

    def printed(self) -> str:
        """What the submission printed, up to the cap, safe to show."""
        return clean(self._output.decode("utf-8", "replace"), self.limits.output_kb * 1024)


def _waited(handle: int) -> float:
    """Seconds that a process has been ready to run and had no processor, as far as the system tells."""
    try:
        with open(f"/proc/self/fdinfo/{handle}") as told:
            pid = next(line.split()[1] for line in told if line.startswith("Pid:"))
        with open(f"/proc/{pid}/schedstat") as told:
            return int(told.read().split()[1]) / 1e9
    except (OSError, StopIteration, LookupError, ValueError):
        return 0.0


def _ready(end: int, what: int, seconds: float) -> bool:
    """Whether a descriptor becomes ready in time. Unlike select, poll knows those beyond 1023, as many lanes have."""
    poller = select.poll()
    poller.register(end, what)
    return bool(poller.poll(seconds * 1000))


def in_seconds(count: float) -> str:
    """How long a limit is, in words."""
    return f"{count:g} second{'' if count == 1 else 's'}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
