"""What the page's tests share: the real command, and a browser without scripts that presses buttons of forms."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import SplitResult, urlencode, urlsplit

import pytest

from autograder.course.load import load_course
from autograder.learn.page.app import make_app
from autograder.learn.page.desk import Desk
from autograder.learn.page.door import Door
from autograder.learn.page.house import House
from tests.conftest import KITCHEN, ROOT
from tests.learn.conftest import STUB

COURSES = ROOT / "tests" / "courses"
Served: TypeAlias = "tuple[Browser, subprocess.Popen[str]]"


@dataclass(frozen=True)
class Answer:
    """What came back: status, headers, and the page."""

    status: int
    headers: http.client.HTTPMessage
    html: str

    @property
    def words(self) -> str:
        """What stands on the page, on one line."""
        return " ".join(_Words.of(self.html).split())


class _Words(HTMLParser):
    """The text of a page, and the fields of its form."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.fields: dict[str, str] = {}
        self.buttons: set[str] = set()
        self._area: list[str] | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        if tag == "input" and found.get("type") in ("hidden", "text"):
            self.fields[str(found["name"])] = found.get("value") or ""
        elif tag == "textarea":
            self._area = []
        elif tag == "button" and found.get("name") == "do":
            self.buttons.add(str(found["value"]))

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self._area is not None:
            self.fields["text"] = "".join(self._area).removeprefix("\n")
            self._area = None

    def handle_data(self, data: str) -> None:
        (self.words if self._area is None else self._area).append(data)

    @classmethod
    def of(cls, html: str) -> str:
        parser = cls()
        parser.feed(html)
        return " ".join(parser.words)


@dataclass
class Browser:
    """Keeps a cookie and the last page it saw. Without an address of its own it has no key."""

    address: str
    cookie: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    buttons: set[str] = field(default_factory=set)

    @property
    def host(self) -> str:
        """Name and port."""
        return urlsplit(self.address).netloc

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Any request at all; headers are given as `host="..."`, and the cookie is sent unless another one is."""
        given = {"host": self.host, "cookie": self.cookie} | headers
        if body is not None:
            given.setdefault("content-length", str(len(body)))
        connection = http.client.HTTPConnection(self.host, timeout=60)
        with contextlib.closing(connection):
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in given.items():
                if value:
                    connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read().decode())

    def enter(self) -> Answer:
        """Open the address that was printed, and keep the cookie."""
        parts = urlsplit(self.address)
        answer = self.ask("GET", f"/?{parts.query}")
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    def look(self, path: str) -> Answer:
        """Open a page."""
        return self._seen(self.ask("GET", path))

    def press(self, path: str, do: str, **fields: str) -> Answer:
        """Press a button of the page that was seen last, with some of its fields filled in otherwise."""
        body = urlencode(self.fields | fields | {"do": do}).encode()
        return self._seen(self.ask("POST", path, body, origin=f"http://{self.host}"))

    def _seen(self, answer: Answer) -> Answer:
        parser = _Words()
        parser.feed(answer.html)
        self.fields, self.buttons = parser.fields, parser.buttons
        return answer


@dataclass
class Inside(Browser):
    """A browser of a page in this very process, which costs no start of a server."""

    door: Door | None = None

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """As over the wire."""
        given = {"host": self.host, "cookie": self.cookie, "content-length": str(len(body or b""))} | headers
        return asyncio.run(self._asked(method, urlsplit(path), body or b"", given))

    async def _asked(self, method: str, target: SplitResult, body: bytes, headers: dict[str, str]) -> Answer:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body}

        scope = {
            "type": "http", "http_version": "1.1", "method": method, "path": target.path, "root_path": "",
            "query_string": target.query.encode(), "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
        }  # fmt: skip
        assert self.door
        await self.door(scope, receive, send)
        found = http.client.HTTPMessage()
        for name, value in sent[0]["headers"]:
            found[name.decode()] = value.decode()
        return Answer(sent[0]["status"], found, b"".join(each.get("body", b"") for each in sent[1:]).decode())


@contextlib.contextmanager
def inside(course: Path) -> Iterator[Browser]:
    """A browser that has come in, in the folder of the course."""
    with contextlib.chdir(course), Desk(load_course(course)) as desk:
        door = Door(make_app(House(desk.course, desk)), 1)
        browser = Inside(door.address(), door=door)
        browser.enter()
        yield browser


@contextlib.contextmanager
def serving(course: Path, *, browser: bool = False, before: Callable[[], None] | None = None) -> Iterator[Served]:
    """The real command in a course, a browser that has come in, and the process; ended as Ctrl-C ends it."""
    command = [sys.executable, "-m", "autograder", "learn", *["--no-browser"] * (not browser)]
    server = subprocess.Popen(
        command, cwd=course, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=before,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert server.stdout
    try:
        told = ""
        while not (found := re.search(r"http://\S+\n", told)) and (line := server.stdout.readline()):
            told += line
        assert found, told
        visitor = Browser(found[0].strip())
        visitor.enter()
        yield visitor, server
    finally:
        server.send_signal(signal.SIGINT)
        rest, _ = server.communicate(timeout=30)
    assert server.returncode == 0, rest
    assert "Traceback" not in rest


@pytest.fixture(scope="session")
def served_kitchen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Path]]:
    """One server for all tests that want a real one, in the small course about cooking."""
    course = Path(shutil.copytree(KITCHEN, tmp_path_factory.mktemp("page") / "kitchen"))
    with serving(course) as (browser, _):
        yield browser, course


@pytest.fixture
def page(served_kitchen: tuple[Browser, Path]) -> tuple[Browser, Path]:
    """The same, with an untouched course for each test."""
    browser, course = served_kitchen
    shutil.rmtree(course / ".headcount", ignore_errors=True)
    shutil.rmtree(course / "exercises")
    shutil.copytree(KITCHEN / "exercises", course / "exercises")
    assert (course / STUB).is_file()
    return browser, course
