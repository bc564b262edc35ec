"""Workers as this machine can have them: forked by a zygote behind walls, or else a new Python for each."""

from __future__ import annotations

import os
from collections.abc import Sequence

from autograder.errors import HeadcountError
from autograder.sandbox.isolation import FULL, NONE, WORDS, lacks
from autograder.sandbox.launch import Zygote

#: Names the highest level to try: lower, to see what a weaker machine does.
HIGHEST = "HEADCOUNT_HIGHEST_ISOLATION"


def start(lanes: int, libraries: Sequence[str] | None, *, forks: int = 1) -> Zygote:
    """What starts workers here; `isolation` says how far they are shut in.

    Libraries that are not known yet are told it later, by `load`. `forks` says about how many workers are to come: for
    many of them a zygote prepares more. Raises HeadcountError where the highest level is none.
    """
    if lacking := lacks():
        from autograder.sandbox.spawned import Spawning  # late: a zygote starts without what talks to workers

        return Spawning(lanes, libraries, lacking)
    highest = os.environ.get(HIGHEST, str(FULL))
    if highest not in map(str, WORDS):
        raise HeadcountError(f"{HIGHEST} is '{highest}', which is no level: name one from {NONE} to {FULL}.")
    return Zygote(lanes, libraries, forks=forks, highest=int(highest))
