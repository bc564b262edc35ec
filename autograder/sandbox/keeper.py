"""The keeper: the process a grader starts. It finds the highest level of isolation this machine gives, and waits.

It tries the levels from the highest down, each in a fresh fork, since walls cannot be taken down again and half a level
must never be used. The fork whose self-test passes becomes the zygote; the others end.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from autograder.sandbox import syscalls, zygote
from autograder.sandbox.cgroups import Group
from autograder.sandbox.selftest import Canary
from autograder.sandbox.walls import NONE, WORDS

READY = "ready"


def main() -> None:
    """Keep a zygote until its work is done. Exits with the reason when there can be none at any level.

    Argument: one JSON object with `sockets`, `libraries`, `warm` and `highest`, the highest level to try.
    """
    setup = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the grader decides when a run ends
    group = Group(len(setup["sockets"]))
    reasons: list[str] = []
    try:
        for level in range(setup["highest"], NONE - 1, -1):
            refusal = _try(level, setup, group, reasons)
            if refusal is None:
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
        pid = os.fork()
        if pid == 0:
            os.close(told)
            _become_zygote(level, setup, group, canary, reasons, tell)
        os.close(tell)
        with open(told) as answer:
            said = answer.read()
        if said == READY and canary and os.path.exists(canary.written):
            os.kill(pid, signal.SIGKILL)
            said = "a test worker left a file behind"
    if said == READY:
        for number in setup["sockets"]:
            os.close(number)
    os.waitpid(pid, 0)
    return None if said == READY else said or "it ended without a word"


def _become_zygote(
    level: int, setup: dict[str, Any], group: Group, canary: Canary | None, reasons: Sequence[str], tell: int
) -> NoReturn:
    code = 1
    try:
        syscalls.die_with_parent()
        group.add(os.getpid())
        walls = zygote.prepare(level, setup["libraries"], warm=setup["warm"], canary=canary)
        os.write(tell, READY.encode())
        os.close(tell)
        notes = [note for note in (*reasons, *walls.missing, group.missing) if note]
        zygote.serve(walls, setup["sockets"], {"level": level, "words": WORDS[level], "reasons": notes})
        code = 0
    except Exception as error:
        with contextlib.suppress(OSError):
            os.write(tell, f"{type(error).__name__}: {error}"[:2000].encode())
    finally:
        os._exit(code)
