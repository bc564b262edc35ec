"""The worker in the background: judges one file after the other for `headcount check`, with a zygote that stays.

It knows nobody's progress and prints nothing; what it judges goes back to the command that asked. There is at most one
for each user. It ends after a while without work, and at once when it is asked by another version.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from autograder.course.load import load_course
from autograder.course.model import Course
from autograder.errors import HeadcountError
from autograder.files import lock
from autograder.learn.checking import drawn, is_try, judge_source
from autograder.learn.meeting import NAME, is_own, is_private, receive, send, stays
from autograder.learn.version import version
from autograder.learn.warm import WarmWorkers
from autograder.report.rows import row

#: Seconds that a command may take to say what it wants.
PATIENCE = 2.0


class Attendant:
    """Answers for one course as it was when the worker was started, with the workers that are ready for it."""

    def __init__(self, course: Course, workers: WarmWorkers) -> None:
        self.course, self.workers = course, workers
        self.version = version(course)

    def attend(self, listener: socket.socket) -> None:
        """Answer until nobody has asked for a while, or somebody wants another version."""
        listener.settimeout(stays())
        with contextlib.suppress(TimeoutError):
            while self._answered(listener.accept()[0]):
                pass

    def _answered(self, connection: socket.socket) -> bool:
        """Answer one command; False where it is time to end. Nothing that it sends ends the worker otherwise."""
        with connection, contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            connection.settimeout(PATIENCE)
            if not is_own(connection):
                return True
            request, source = next(receive(connection), ({}, b""))
            if request["version"] != self.version or self.version != version(self.course):
                with contextlib.suppress(OSError):  # whoever asked may not have waited
                    send(connection, {"event": "other version"})
                return False
            send(connection, {"event": "taken"})
            send(connection, self._judged(connection, request, source))
        return True

    def _judged(self, connection: socket.socket, request: dict[str, Any], source: bytes) -> dict[str, Any]:
        exercise = self.course.exercise(request["exercise"])
        os.environ["COLUMNS"] = str(int(request["columns"]))  # as wide as the terminal of whoever asks

        def tell(what: str, done: int, total: int) -> None:
            send(connection, {"event": "progress", "bar": [what, done, total]})

        try:
            result, printed = self.workers.use(
                exercise, lambda zygote: judge_source(self.course, exercise, source, request["origin"], tell, zygote)
            )
        except HeadcountError as problem:
            return {"event": "problem", "text": str(problem)}
        text = row(result) if request["json"] else drawn(exercise, result, printed, plain=request["plain"])
        return {"event": "done", "text": text, "solved": result.verdict == "OK", "tried": is_try(exercise, result)}


def main() -> None:
    """Arguments: the folder to listen in, the folder of the course, and an exercise to be ready for."""
    folder, root, first = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    if not is_private(folder) or not stays():
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.umask(0o077)
    with open(folder / "lock", "ab") as file:
        try:
            lock(file.fileno(), wait=False)
        except OSError:  # there is one already
            return
        course, place = load_course(root), folder / NAME
        with WarmWorkers(course) as workers, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            with contextlib.suppress(HeadcountError):  # whoever asks for it is told
                workers.prepare(course.exercise(first))
            place.unlink(missing_ok=True)
            listener.bind(str(place))
            place.chmod(0o600)
            listener.listen()
            try:
                Attendant(course, workers).attend(listener)
            finally:
                place.unlink(missing_ok=True)
