"""Who may come in: only the browser of whoever started the page, and only from a page of its own.

Other programs on this machine, and every web page that the learner visits, can send requests to a port of it. So each
request is looked at before anything else sees it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from autograder.submissions.member import SOURCE

ADDRESS = "127.0.0.1"
#: A form holds one file, whose bytes may all have to be written as `%0A`, and a few short fields.
MOST_BYTES = 3 * SOURCE.size + 4096
KEEP_OUT = "Open the address that `headcount learn` printed: it carries the key to this page."
ELSEWHERE = "This request does not come from the page of `headcount learn`."
TOO_LARGE = "A form of this page is no larger than a file of an exercise, and says how large it is."
ONLY = "Only GET, HEAD and POST are answered here."


class Door:
    """The keys of one running page, and the ASGI middleware that asks for them."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self.app, self.port = app, port
        self.token = secrets.token_urlsafe(32)
        #: The address given to a browser can be read in the list of processes, so it opens the door once.
        self.tokens_for_once = {secrets.token_urlsafe(32)}
        self.cookie = f"headcount-{port}"
        self._session = secrets.token_urlsafe(32)

    def address(self, *, once: bool = False) -> str:
        """What to open in a browser."""
        token = next(iter(self.tokens_for_once)) if once else self.token
        return f"http://{ADDRESS}:{self.port}/?token={token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let in, turn away, or hand out the cookie."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # there are no sockets here
        headers, nonce = Headers(scope=scope), secrets.token_urlsafe(16)
        scope["state"] = {**scope.get("state", {}), "nonce": nonce}
        send = _guarded(send, nonce)
        if headers.get("host") not in self._hosts():
            await _turn_away(send, 421, ELSEWHERE)
        elif scope["method"] not in ("GET", "HEAD", "POST"):
            await _turn_away(send, 405, ONLY)
        elif scope["method"] == "GET" and self._has_token(scope["query_string"]):
            await self._hand_out(send)
        elif not self._has_cookie(headers):
            await _turn_away(send, 403, KEEP_OUT)
        elif scope["method"] == "POST" and headers.get("origin") != f"http://{headers['host']}":
            await _turn_away(send, 403, ELSEWHERE)
        elif scope["method"] == "POST" and not _bearable(headers):
            await _turn_away(send, 413, TOO_LARGE)
        else:
            await self.app(scope, receive, send)

    def _hosts(self) -> tuple[str, ...]:
        return f"{ADDRESS}:{self.port}", f"localhost:{self.port}"

    def _has_token(self, query: bytes) -> bool:
        given = parse_qs(query.decode("latin-1")).get("token", [""])[0].encode()
        if secrets.compare_digest(given, self.token.encode()):
            return True
        for token in tuple(self.tokens_for_once):
            if secrets.compare_digest(given, token.encode()):
                self.tokens_for_once.discard(token)
                return True
        return False

    def _has_cookie(self, headers: Mapping[str, str]) -> bool:
        sent = (each.strip().partition("=") for each in headers.get("cookie", "").split(";"))
        given = [value.encode() for name, _, value in sent if name == self.cookie]  # others on this machine send theirs
        return any(secrets.compare_digest(value, self._session.encode()) for value in given)

    async def _hand_out(self, send: Send) -> None:
        cookie = f"{self.cookie}={self._session}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body"})


def _bearable(headers: Mapping[str, str]) -> bool:
    """Whether the body has a size that is told beforehand, as browsers do, and that a form may have."""
    length = headers.get("content-length", "")
    told = length.isdecimal() and "transfer-encoding" not in headers
    return told and len(length) < 12 and int(length) <= MOST_BYTES


def _guarded(send: Send, nonce: str) -> Send:
    """Every answer, a refusal too, tells the browser what it may load (nothing but ours) and keep (nothing)."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["content-security-policy"] = (
                "default-src 'none'; script-src 'self'; "
                f"style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
                "frame-ancestors 'none'; base-uri 'none'"
            )
            headers["cache-control"] = "no-store"
            # the strictest that still lets a browser name the origin of a form, which is asked for above
            headers["referrer-policy"] = "same-origin"
            headers["x-content-type-options"] = "nosniff"
            headers["x-frame-options"] = "DENY"
            headers["cross-origin-opener-policy"] = "same-origin"
            headers["cross-origin-resource-policy"] = "same-origin"
        await send(message)

    return guarded


async def _turn_away(send: Send, status: int, why: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{why}\n".encode()})
