"""What the sandbox tests share: a probe without inputs, and a question put to one submission."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest

from autograder.course.model import Limits
from autograder.records import Observation, Probe
from autograder.sandbox.launch import Zygote
from autograder.sandbox.run import Task, observe

Ask = Callable[..., tuple[Observation, str]]
PROBE = Probe(name="only", check="it", why="it is all there is to ask", inputs={"n": 1})


@pytest.fixture(scope="session")
def ask() -> Ask:
    """Run the body of a function ``attempt(n)`` in a worker: ``ask(zygote, body)`` -> what it claimed and printed."""

    def ask(zygote: Zygote, body: str, *, before: str = "", limits: Limits | None = None) -> tuple[Observation, str]:
        source = f"{textwrap.dedent(before)}\ndef attempt(n):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"
        task = Task(source, "attempt.py", "numpy", "attempt", [PROBE], limits=limits or Limits())
        seen = observe(zygote.lanes[0], task)
        return seen.probes["only"], seen.printed

    return ask
