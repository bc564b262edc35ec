"""Ask the worker in the background, and start it where there is none. Whatever goes wrong, the command does without."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from dataclasses import dataclass

from autograder.course.model import Course, Exercise
from autograder.errors import HeadcountError
from autograder.learn.meeting import is_own, listened_at, meeting_place, receive, send
from autograder.learn.version import version
from autograder.report.bar import Bar

#: Seconds until a worker that is busy with something else is not waited for, and for a check of its own.
PATIENCE, LONGEST = 1.0, 300.0
START = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop())
from autograder.learn.attendant import main
main()
"""


@dataclass(frozen=True)
class Answer:
    """What a worker says of a file: the text for the learner, whether it is solved, and whether it was a real try."""

    text: str
    solved: bool
    tried: bool


def ask(course: Course, exercise: Exercise, source: bytes, origin: str, *, as_json: bool, plain: bool) -> Answer | None:
    """The answer of a worker that is ready; None where there is none, or none that fits.

    Raises HeadcountError with what the worker says of a course or a machine that does not work.
    """
    place = listened_at()
    if place is None:
        return None
    from shutil import get_terminal_size  # late, like all that a check without a worker does without

    wanted = {
        "version": version(course), "exercise": exercise.id, "origin": origin, "json": as_json, "plain": plain,
        "columns": get_terminal_size((100, 24)).columns,
    }  # fmt: skip
    bar = Bar()
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(place))
            if not is_own(connection):
                return None
            send(connection, wanted, source)
            for said, _ in receive(connection):
                match said["event"]:
                    case "taken":
                        connection.settimeout(LONGEST)
                    case "progress":
                        bar(*said["bar"])
                    case "problem":
                        raise HeadcountError(said["text"])
                    case "done":
                        return Answer(said["text"], said["solved"], said["tried"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    finally:
        bar.close()
    return None


def start(course: Course, exercise: Exercise) -> None:
    """Start a worker for this course, ready for this exercise; it ends at once where there is one already."""
    folder = meeting_place()
    if folder is None:
        return
    path = json.dumps([os.path.abspath(entry) for entry in sys.path])
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", START, str(folder), str(course.root), exercise.id, path], cwd="/",
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
    except OSError:
        return
    process.returncode = 0  # it is meant to outlive us, which would be warned of


def end() -> None:
    """End the worker that runs, if there is one."""
    place = listened_at()
    if place is None:
        return
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(place))
            if is_own(connection):
                send(connection, {"version": "none at all"})
                connection.recv(1)
    except OSError:
        return
