"""The command: what it prints, how it ends, and what it says where it cannot begin."""

from __future__ import annotations

import contextlib
import importlib.util
import resource
import signal
import socket
from pathlib import Path
from urllib.parse import urlencode

import pytest

from autograder.course.errors import CourseError
from autograder.learn import commands
from autograder.sandbox.isolation import lacks
from tests.conftest import Run
from tests.learn.conftest import RIGHT, STUB, WRONG
from tests.learn.page.conftest import Browser, serving

K1 = "/exercise/k1"


def below(pid: int) -> set[int]:
    """All processes that a process started, and those they started."""
    children: dict[int, set[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), set()).add(int(status.parent.name))
    found, new = set[int](), {pid}
    while new:
        new = {child for parent in new for child in children.get(parent, ())}
        found |= new
    return found


@pytest.mark.skipif(bool(lacks()), reason="no zygote here")
def test_nothing_is_left_behind(kitchen: Path) -> None:
    """Ctrl-C ends the server and, with it, the workers that it kept ready; NumPy alone was loaded."""
    with serving(kitchen) as (browser, server):
        browser.look(K1)
        browser.press(K1, "check", text=RIGHT)
        workers = below(server.pid)
        loaded = [Path(f"/proc/{process}/maps").read_text() for process in (server.pid, *workers)]
    assert workers
    assert not any("libtorch" in maps for maps in loaded)
    assert not [worker for worker in workers if Path(f"/proc/{worker}/exe").exists()]


def test_ctrl_c_during_a_check(kitchen: Path) -> None:
    """Nobody waits for a check that is under way, and what was saved is saved."""
    with serving(kitchen) as (browser, server):
        browser.look(K1)
        source = "import time\ndef scale_recipe(*_):\n    time.sleep(600)\n"
        with contextlib.closing(socket.create_connection(tuple(browser.host.split(":")))) as raw:  # type: ignore[arg-type]
            body = urlencode(browser.fields | {"do": "check", "text": source})
            raw.sendall(
                f"POST {K1} HTTP/1.1\r\nHost: {browser.host}\r\nCookie: {browser.cookie}\r\n"
                f"Origin: http://{browser.host}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            while (kitchen / STUB).read_text() != source:
                browser.look("/")
            workers = below(server.pid)
            server.send_signal(signal.SIGINT)
            server.wait(30)
    assert (kitchen / STUB).read_text() == source
    assert not [worker for worker in workers if Path(f"/proc/{worker}/exe").exists()]


def test_the_browser_is_opened(kitchen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an address that opens once: the list of processes shows it. The printed one is another."""
    told = kitchen / "told"
    script = kitchen / "browser"
    script.write_text(f'#!/bin/sh\nprintf %s "$1" > "{told}.part" && mv "{told}.part" "{told}"\n')
    script.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(script))
    with serving(kitchen, browser=True) as (browser, _):
        while not told.exists():
            browser.look("/")
        opened = Browser(told.read_text())
        assert (opened.host, opened.address == browser.address) == (browser.host, False)
        assert opened.enter().status == 303
        assert opened.look("/").status == 200
        assert Browser(opened.address).ask("GET", opened.address.removeprefix(f"http://{opened.host}")).status == 403


def test_a_full_disk(kitchen: Path) -> None:
    """One sentence for the file and one for the progress; the text is still there, and the check is done."""

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))

    (kitchen / STUB).write_text(RIGHT)
    with serving(kitchen, before=fill) as (browser, _):
        browser.look(K1)
        answer = browser.press(K1, "save", text=WRONG)
        assert "could not be saved (File too large). Your text is still here; nothing of it is lost." in answer.words
        assert browser.fields["text"] == WRONG
        assert (kitchen / STUB).read_text() == RIGHT
        assert "cannot be written" in browser.press(K1, "hint", text=RIGHT).words


def test_where_it_cannot_begin(kitchen: Path, headcount: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that is taken, a library that is missing, a folder without a course: one line each."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        run = headcount("learn", "--no-browser", "--port", str(port), cwd=kitchen)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert run.stderr.startswith(f"Port {port} cannot be used (")
    assert headcount("learn", "--port", "70000", cwd=kitchen).returncode == 2
    run = headcount("learn", "--no-browser", cwd=kitchen.parent)
    assert (run.returncode, "headcount init" in run.stderr) == (2, True)
    find = importlib.util.find_spec
    monkeypatch.setattr(commands, "find_spec", lambda name: None if name in ("starlette", "uvicorn") else find(name))
    monkeypatch.chdir(kitchen)
    with pytest.raises(CourseError, match=r"not installed here: pip install starlette uvicorn$"):
        commands.learn(0, browser=False)
    (kitchen / "constraints.txt").touch()
    with pytest.raises(CourseError, match=r"not installed here: pip install -c constraints.txt starlette uvicorn$"):
        commands.learn(0, browser=False)
