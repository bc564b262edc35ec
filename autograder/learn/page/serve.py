"""`headcount learn`: open the page, and stay until Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import webbrowser
from types import FrameType

import click
import uvicorn

from autograder.course.errors import CourseError
from autograder.course.model import Course
from autograder.learn.page.app import make_app
from autograder.learn.page.desk import Desk
from autograder.learn.page.door import ADDRESS, Door
from autograder.learn.page.house import House
from autograder.learn.progress import Progress

OPEN = "{title} is at this address, for you alone, until you press Ctrl-C:\n\n  {address}\n"
IN_THE_TERMINAL = ("www-browser", "links", "elinks", "lynx", "w3m")
#: Seconds that answers on their way have once Ctrl-C was pressed.
LEFT = 1


class Server(uvicorn.Server):
    """Ends what is being checked before it waits for answers on their way."""

    def __init__(self, config: uvicorn.Config, desk: Desk) -> None:
        super().__init__(config)
        self._desk = desk

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Called for Ctrl-C, and where somebody ends the process."""
        self._desk.end()
        super().handle_exit(sig, frame)


def serve(course: Course, port: int, *, browser: bool) -> None:
    """Print the address, open it where there is a browser, and answer until Ctrl-C.

    Raises CourseError where the port is taken.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that no worker is left behind
    with Desk(course) as desk, socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        if os.name == "posix":  # elsewhere it would let two programs have the same port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((ADDRESS, port))
        except OSError as error:
            mend = "Another program may have it; without --port a free one is taken."
            raise CourseError((f"Port {port} cannot be used ({error.strerror}). {mend}",)) from None
        listener.listen()
        door = Door(make_app(House(course, desk)), listener.getsockname()[1])
        click.echo(OPEN.format(title=course.title, address=door.address()))
        if browser:
            _open(door.address(once=True))
        config = uvicorn.Config(
            door, log_level="critical", access_log=False, lifespan="off", ws="none", server_header=False,
            timeout_graceful_shutdown=LEFT,
        )  # fmt: skip
        try:
            Server(config, desk).run(sockets=[listener])
        except KeyboardInterrupt:
            click.echo()
    where = Progress(course).next_up(course)
    click.echo("Until next time." + (f" `headcount learn` goes on from here, at {where.short}." if where else ""))


def _open(address: str) -> None:
    """Open a window, where there is one to open; a browser in this terminal would take it away from us."""
    with contextlib.suppress(webbrowser.Error):
        found = webbrowser.get()
        if getattr(found, "basename", "") not in IN_THE_TERMINAL:
            threading.Thread(target=found.open, args=(address,), daemon=True).start()  # some return when it is closed
