"""Who may come in: nobody without the key, from another page, or by another name."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest

from autograder.learn.page.door import MOST_BYTES, Door
from tests.learn.page.conftest import Browser

Page = tuple[Browser, Path]
EXERCISE = "/exercise/k1"


def test_the_key_is_exchanged_for_a_cookie(page: Page) -> None:
    """The address leads to a page without the key in it, and the cookie is for this port, browser and site alone."""
    browser, _ = page
    answer = Browser(browser.address).enter()
    port = browser.host.partition(":")[2]
    assert (answer.status, answer.headers["location"]) == (303, "/")
    assert answer.headers["set-cookie"].startswith(f"headcount-{port}=")
    assert answer.headers["set-cookie"].endswith("; HttpOnly; SameSite=Strict; Path=/")
    assert answer.headers["set-cookie"].partition(";")[0].partition("=")[2] not in browser.address


@pytest.mark.parametrize("path", ["/", EXERCISE, "/static/page.js", "/lesson/a", "/nowhere", "/?token=", "/?token=x"])
def test_nobody_comes_in_without_a_key(page: Page, path: str) -> None:
    """Not even a style sheet is given out, and one sentence says what to do."""
    answer = Browser(page[0].address).ask("GET", path)
    assert (answer.status, answer.html) == (
        403, "Open the address that `headcount learn` printed: it carries the key to this page.\n",
    )  # fmt: skip


@pytest.mark.parametrize("cookie", ["headcount-1=x", "{name}=", "{name}=wrong", "{name}=\u00fc", "=;=;;", "{name}"])
def test_a_wrong_cookie_is_no_cookie(page: Page, cookie: str) -> None:
    """Whatever is sent in its place, the door stays shut."""
    name = page[0].cookie.partition("=")[0]
    assert page[0].ask("GET", "/", cookie=cookie.format(name=name)).status == 403
    neighbours = f'a={{"b":1}}; {cookie.format(name=name)}; {page[0].cookie}; =;x'
    assert page[0].ask("GET", "/", cookie=neighbours).status == 200, "others of this machine have cookies, too"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:{port}"])
def test_another_name_for_this_machine(page: Page, host: str) -> None:
    """A web page whose name was made to mean this machine gets nothing, with a right cookie neither."""
    browser, _ = page
    assert browser.ask("GET", "/", host=host.format(port=browser.host.partition(":")[2])).status == 421


@pytest.mark.parametrize(
    "origin", ["", "null", "http://evil.example", "http://127.0.0.1:1", "https://{host}", "{host}"]
)
def test_a_form_of_another_page(page: Page, origin: str) -> None:
    """A form is taken from our own page alone, and nothing is saved for others."""
    browser, course = page
    before = (course / "exercises/k1_scale_recipe.py").read_bytes()
    body = b"do=save&version=x&text=mine"
    assert browser.ask("POST", EXERCISE, body, origin=origin.format(host=browser.host)).status == 403
    assert browser.ask("POST", "/stop/k1", b"", origin=origin.format(host=browser.host)).status == 403
    assert (course / "exercises/k1_scale_recipe.py").read_bytes() == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "X"])
def test_other_methods(page: Page, method: str) -> None:
    """What no form and no link sends is refused, a question about other origins too."""
    answer = page[0].ask(method, "/")
    assert answer.status in (400, 405)
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]


def test_too_large(page: Page) -> None:
    """More than a file may hold is refused before it is read, whether its size was announced or not."""
    browser, _ = page
    origin = {"origin": f"http://{browser.host}"}
    announced = {"content-length": str(MOST_BYTES + 1), **origin}
    assert browser.ask("POST", EXERCISE, None, **announced).status == 413
    for wrong in ("-1", "x", "9" * 40):
        assert browser.ask("POST", EXERCISE, None, **announced | {"content-length": wrong}).status in (400, 413)
    announced = {"transfer-encoding": "chunked", "content-length": "", **origin}
    assert browser.ask("POST", EXERCISE, None, **announced).status == 413


@pytest.mark.parametrize("path", ["/", EXERCISE, "/static/page.css", "/nowhere", "/exercise/k9"])
def test_what_a_browser_is_told(page: Page, path: str) -> None:
    """Every answer forbids scripts of others, frames, and keeping a copy; nothing is opened to other origins."""
    headers = page[0].ask("GET", path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-" in policy
    assert policy.endswith("form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
    assert "unsafe" not in policy
    assert (headers["cache-control"], headers["referrer-policy"]) == ("no-store", "same-origin")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["access-control-allow-origin"] is None


def test_nonces_are_for_one_answer(page: Page) -> None:
    """No two answers allow the same styles."""
    assert len({page[0].ask("GET", "/").headers["content-security-policy"] for _ in range(3)}) == 3


@pytest.mark.parametrize(
    "path",
    ["/static/../door.py", "/static/..%2fdoor.py", "/static/%2e%2e/door.py", "/exercise/..%2f..%2fcourse.yaml",
     "/exercise/k1_scale_recipe.py", "/pictures/..%2f..%2fcourse.yaml", "/pictures/x.svg", "/lesson/..", "/lesson/k"],
)  # fmt: skip
def test_no_path_comes_from_outside(page: Page, path: str) -> None:
    """Addresses name exercises, stages, pictures of lessons and our own static files; nothing else is there."""
    assert page[0].ask("GET", path).status == 404


def test_a_wrong_address_leads_to_the_map(page: Page) -> None:
    """Who mistyped an exercise gets a page with a way on; capital letters are no mistake."""
    lost = page[0].ask("GET", "/exercise/zz")
    assert (lost.status, "There is no such page" in lost.words, '<a href="/">' in lost.html) == (404, True, True)
    assert page[0].ask("GET", "/exercise/K1").status == 200


def test_only_this_machine_is_answered(page: Page) -> None:
    """The port is open on the loopback address alone."""
    port = int(page[0].host.partition(":")[2])
    with socket.socket() as other:
        assert other.connect_ex(("127.0.0.2", port)) != 0


def test_the_address_in_a_browsers_command_line_opens_once() -> None:
    """It can be read in the list of processes; the one that was printed stays good."""
    door = Door(_nobody, 1)
    once, printed = (door.address(once=first).partition("?")[2] for first in (True, False))
    assert [_status(door, query) for query in (once, once, printed, printed)] == [303, 403, 303, 303]


async def _nobody(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("somebody came in")


def _status(door: Door, query: str) -> int:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"127.0.0.1:1")]
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": query.encode(), "headers": headers}
    asyncio.run(door(scope, _nobody, send))  # type: ignore[arg-type]
    return int(sent[0]["status"])
