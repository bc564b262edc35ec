"""Cutting the measuring functions out of a probes.py."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.authoring.measures import cut_measures
from autograder.course.errors import ContentError
from autograder.records import Probe

SOURCE = '''"""Why these sizes."""
import numpy as np
from autograder.records import Probe

LIMIT = 0.5  # a secret thought
OTHER = "not needed"


def shown(rng):
    yield Probe(name="one", inputs={"x": rng.random(3)}, measure=near)


def hidden(rng):
    yield Probe(name="two", inputs={"x": rng.random(7)}, measure=near)


@np.errstate(all="ignore")
def near(inputs, parts):
    """Close enough."""
    return {"near": _distance(inputs["x"], parts["result"]) < LIMIT}


def _distance(a, b):
    return np.abs(a - b).max()


def _unused():
    return OTHER
'''


def probe(measure: object) -> Probe:
    """A probe that measures with this."""
    return Probe(name="one", check="values", why="to see", inputs={}, measure=measure)  # type: ignore[arg-type]


def named(name: str) -> object:
    """What probes.py defines under this name."""
    defined: dict[str, object] = {}
    exec(SOURCE, defined)
    return defined[name]


def test_what_is_needed_and_nothing_else() -> None:
    """Helpers, constants and imports come along; generators, comments, docstrings and the rest stay behind."""
    cut = cut_measures(SOURCE, [probe(named("near"))], "probes.py")
    defined: dict[str, object] = {}
    exec(cut, defined)
    near = defined["near"]
    assert callable(near)
    assert near({"x": np.zeros(2)}, {"result": np.full(2, 0.4)}) == {"near": True}
    assert set(defined) - {"__builtins__"} == {"np", "LIMIT", "near", "_distance"}
    assert not [word for word in ("hidden", "Probe", "secret", "Close", "Why") if word in cut]


def test_nothing_to_measure() -> None:
    """Probes that compare what comes back need no code."""
    assert cut_measures(SOURCE, [Probe(name="one", check="values", why="to see", inputs={})], "probes.py") == ""


def test_a_measure_that_cannot_be_cut_out() -> None:
    """A lambda has no place of its own in the file."""
    with pytest.raises(ContentError, match=r"probes\.py: probe 'one' must measure with a function at the top"):
        cut_measures(SOURCE, [probe(lambda inputs, parts: {})], "probes.py")
