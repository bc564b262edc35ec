"""What the page's tests share: the real command, and a browser without scripts that presses the buttons of its forms."""

from __future__ import annotations

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
from urllib.parse import urlencode, urlsplit

import pytest

from tests.conftest import KITCHEN, ROOT
from tests.learn.conftest import STUB

COURSES = ROOT / "tests" / "courses"


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


@contextlib.contextmanager
def serving(course: Path, *options: str, before: Callable[[], None] | None = None) -> Iterator[tuple[Browser, subprocess.Popen[str]]]:
    """The real command in a course, a browser that has come in, and the process; ended as Ctrl-C ends it."""
    command = [sys.executable, "-m", "autograder", "learn", "--no-browser", *options]
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
        browser = Browser(found[0].strip())
        browser.enter()
        yield browser, server
    finally:
        server.send_signal(signal.SIGINT)
        rest, _ = server.communicate(timeout=30)
    assert server.returncode == 0, rest
    assert "Traceback" not in rest


@pytest.fixture(scope="module")
def served_kitchen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Path]]:
    """One server for a module's tests, in the small course about cooking."""
    course = Path(shutil.copytree(KITCHEN, tmp_path_factory.mktemp("page") / "kitchen"))
    with serving(course) as (browser, _):
        yield browser, course


@pytest.fixture
def page(served_kitchen: tuple[Browser, Path]) -> Iterator[tuple[Browser, Path]]:
    """The same, with an untouched course for each test."""
    browser, course = served_kitchen
    shutil.rmtree(course / ".headcount", ignore_errors=True)
    shutil.rmtree(course / "exercises")
    shutil.copytree(KITCHEN / "exercises", course / "exercises")
    assert (course / STUB).is_file()
    yield browser, course
