"""Workers as this machine can have them: forked by a zygote behind walls, or else a new Python for each."""

from __future__ import annotations

import os
from collections.abc import Sequence

from autograder.sandbox.isolation import FULL, lacks
from autograder.sandbox.launch import Zygote


def start(lanes: int, libraries: Sequence[str] | None, *, forks: int = 1) -> Zygote:
    """What starts workers here; `isolation` says how far they are shut in.

    Libraries that are not known yet are told it later, by `load`. `forks` says about how many workers are to come: for
    many of them a zygote prepares more.
    """
    if lacking := lacks():
        from autograder.sandbox.spawned import Spawning  # late: a zygote starts without what talks to workers

        return Spawning(lanes, libraries, lacking)
    highest = int(os.environ.get("HEADCOUNT_HIGHEST_ISOLATION", FULL))  # lower, to see what a weaker machine does
    return Zygote(lanes, libraries, forks=forks, highest=highest)
