"""Workers as this machine can have them: forked by a zygote behind walls, or else a new Python for each."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence

from autograder.course.model import Limits
from autograder.sandbox.child import Child
from autograder.sandbox.isolation import FULL, lacks
from autograder.sandbox.launch import Zygote
from autograder.sandbox.spawned import SpawnedChild, SpawnedLane, Spawning


def start(lanes: int, libraries: Sequence[str], *, warm: bool = False) -> Zygote:
    """What starts workers here; `isolation` says how far they are shut in."""
    lacking = lacks()
    highest = int(os.environ.get("HEADCOUNT_HIGHEST_ISOLATION", FULL))  # lower, to see what a weaker machine does
    return Spawning(lanes, libraries, lacking) if lacking else Zygote(lanes, libraries, warm=warm, highest=highest)


def child_on(lane: socket.socket, limits: Limits) -> Child:
    """A worker of this lane. Raises SandboxError where none can be started."""
    return SpawnedChild(lane, limits) if isinstance(lane, SpawnedLane) else Child(lane, limits)
