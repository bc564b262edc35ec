"""The keeper: the process a grader starts. It finds the highest level of isolation this machine gives, and waits.

It tries the levels from the highest down, each in a fresh fork, since walls cannot be taken down again and half a level
must never be used. The fork whose self-test passes becomes the zygote; the others end.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, NoReturn

from autograder.sandbox.cgroups import Group
from autograder.sandbox.isolation import NONE, WORDS
from autograder.sandbox.selftest import Canary


def main() -> None:
    """Keep a zygote until its work is done. Exits with the reason when there can be none at any level.

    Argument: one JSON object with `sockets`, `forks` and `highest`, the highest level to try. What to load comes on
    standard input when the grader knows it; where it hangs up instead, nothing is wanted any more.
    """
    setup = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the grader decides when a run ends
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where it is ignored, no status is left to be waited for
    group = Group(len(setup["sockets"]))
    reasons: list[str] = []
    try:
        for level in range(setup["highest"], NONE - 1, -1):
            refusal = _try(level, setup, group, reasons)
            if refusal is None or not _libraries():
                return
            reasons.append(f"not {WORDS[level].partition(':')[0]}: {refusal}")
        sys.exit(refusal)
    finally:
        group.close()


def _try(level: int, setup: dict[str, Any], group: Group, reasons: Sequence[str]) -> str | None:
    """Let a fork become a zygote at this level and wait for its end. Returns why it could not."""
    try:
        folder = Canary() if level > NONE else contextlib.nullcontext()
    except OSError as error:
        return f"no file to test with could be made ({error.strerror})"
    with folder as canary:
        told, tell = os.pipe()
        waits, go = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(told)
            os.close(go)
            _become_zygote(level, setup, canary, tell, waits)
        os.close(tell)
        os.close(waits)
        group.add(pid)  # the kernel takes its time over this
        with contextlib.suppress(BrokenPipeError):  # why it has ended is read below
            os.write(go, _libraries())
        os.close(go)
        with open(told) as answer:
            said = json.loads(answer.read() or '{"refusal": "it ended without a word"}')
        if canary and os.path.exists(canary.written):
            said.setdefault("refusal", "a test worker left a file behind")
    if "refusal" in said:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    else:
        reasons = [*reasons, *said["missing"], *filter(None, [group.missing])]
        _announce(setup["sockets"], {"level": level, "words": WORDS[level], "reasons": reasons})
    os.waitpid(pid, 0)
    refusal: str | None = said.get("refusal")
    return refusal


@cache
def _libraries() -> bytes:
    """What to load, as a JSON list."""
    return sys.stdin.buffer.read()


def _announce(sockets: Sequence[int], isolation: dict[str, Any]) -> None:
    """Tell the grader, on every lane, that the zygote is ready; from here on the lanes are the zygote's alone."""
    for number in sockets:
        with socket.socket(fileno=number) as lane, contextlib.suppress(OSError):  # the grader may have gone
            lane.sendall(json.dumps({"event": "ready", "isolation": isolation}).encode())


def _become_zygote(level: int, setup: dict[str, Any], canary: Canary | None, tell: int, waits: int) -> NoReturn:
    """Load what a zygote is made of while the keeper counts this process among its group; then become one.

    `waits` tells which libraries are wanted once that is done: what is forked from then on counts too.
    """
    code = 1
    try:
        try:
            from autograder.sandbox import syscalls, zygote

            syscalls.die_with_parent()
            with open(waits, "rb") as answer:
                libraries = json.load(answer)
            walls = zygote.prepare(level, libraries, forks=setup["forks"], canary=canary)
            said: dict[str, Any] = {"missing": walls.missing}
        except Exception as error:
            said = {"refusal": f"{type(error).__name__}: {error}"[:2000]}
        os.write(tell, json.dumps(said).encode())
        os.close(tell)
        if "refusal" not in said:
            zygote.serve(walls, setup["sockets"])
            code = 0
    finally:
        os._exit(code)
