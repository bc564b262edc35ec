"""What a submission may ask back while a probe runs: plain answers, clear refusals, and an end to asking."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from autograder.course.model import Limits
from autograder.records import Observation, Probe
from autograder.sandbox.callbacks import MOST_ASKED
from autograder.sandbox.launch import Zygote
from autograder.sandbox.run import Task, observe

#: Hands `attempt` the function `weigh`, which is answered by the grader.
DRIVER = """
def drive(learner, inputs, ask):
    return {"result": learner["attempt"](lambda *arguments: ask("weigh", *arguments))}
"""


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """A zygote behind the best walls of this machine."""
    with Zygote(1, ["numpy"]) as zygote:
        yield zygote


def attempt(zygote: Zygote, body: str, weigh: Callable[..., Any], limits: Limits | None = None) -> Observation:
    """What became of a function ``attempt(weigh)`` with this body."""
    source = f"def attempt(weigh):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"
    probe = Probe(name="only", check="it", why="to ask back", inputs={}, callbacks={"weigh": weigh})
    task = Task(source, "attempt.py", "numpy", "attempt", [probe], DRIVER, limits=limits or Limits())
    return observe(zygote.lanes[0], task).probes["only"]


def test_arrays_go_there_and_back(zygote: Zygote) -> None:
    """A callback meets NumPy arrays, and the submission gets its answer in the library it uses."""
    body = "import numpy\nreturn weigh(numpy.arange(3.0), [1, 2]).tolist()"
    assert attempt(zygote, body, lambda x, factors: x * factors[1]).parts == {"result": [0.0, 2.0, 4.0]}


@pytest.mark.parametrize(
    ("body", "weigh", "said"),
    [
        ("return weigh('a stone')", lambda bowl: bowl + 1, "TypeError: "),
        ("return weigh(7)", lambda bowl: [0, 1][bowl], "IndexError: list index out of range"),
        ("return weigh()", lambda: np.zeros(1 << 23), "Unsendable: "),
        ("return weigh()", lambda: 1j, "Unsendable: "),
    ],
)
def test_what_goes_wrong_in_the_grader_is_told(zygote: Zygote, body: str, weigh: Callable[..., Any], said: str) -> None:
    """Whatever a callback raises, or answers without being able to, reaches the submission as an error to read."""
    got = attempt(zygote, body, weigh)
    assert got.raised
    assert (got.raised.type, got.raised.message[: len(said)]) == ("RuntimeError", said)


def test_there_is_an_end_to_asking(zygote: Zygote) -> None:
    """Past the limit nothing is computed any more, and the submission is told why."""
    calls = []
    got = attempt(zygote, "while True: weigh(1)", calls.append)
    assert got.raised
    assert "weigh was called more than 1,000 times" in got.raised.message
    assert len(calls) == MOST_ASKED


def test_who_does_not_stop_asking_is_stopped(zygote: Zygote) -> None:
    """Catching that error and going on ends the worker."""
    body = "while True:\n    try: weigh(1)\n    except RuntimeError: pass"
    got = attempt(zygote, body, lambda bowl: bowl)
    assert (got.outcome, got.detail) == ("cpu_limit", "more than 2,000 calls of what it was given")


def test_the_time_of_callbacks_counts(zygote: Zygote) -> None:
    """Processor time spent for a submission in the grader is limited like its own."""

    def slow(count: int) -> float:
        return float(np.sort(np.arange(count, dtype=np.float64)[::-1] % 1e6).sum())

    got = attempt(zygote, "while True: weigh(200_000)", slow, Limits(cpu_seconds=0.25))
    assert got.raised
    assert "the calls of weigh have used up the processor time" in got.raised.message


def test_requests_sent_ahead_are_not_answered_for_ever(zygote: Zygote) -> None:
    """A worker that writes requests without reading the answers does not keep the grader busy."""
    body = """
        import os, sys
        channel = next(f.f_locals["self"].channel for f in frames(sys._getframe()) if "self" in f.f_locals)
        wire = channel.send.__func__.__globals__["wire"]
        request = wire.frame({"outcome": "asks", "name": "weigh", "arguments": [1], "number": channel.number})
        while True:
            os.write(channel._out, request * 100)
    """
    before = "def frames(f):\n    while f:\n        yield f\n        f = f.f_back\n"
    source = f"{before}\n\ndef attempt(weigh):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"
    probe = Probe(name="only", check="it", why="to flood", inputs={}, callbacks={"weigh": lambda bowl: bowl})
    task = Task(source, "attempt.py", "numpy", "attempt", [probe], DRIVER, limits=Limits(wall_seconds=1))
    got = observe(zygote.lanes[0], task).probes["only"]
    assert got.outcome in ("cpu_limit", "timed_out")


def test_what_a_callback_noted_counts(zygote: Zygote) -> None:
    """Callbacks made anew for each submission may remember; what they noted stands, whatever the worker says of it."""

    def offered() -> dict[str, Callable[..., Any]]:
        heard: list[str] = []
        return {"say": heard.append, "noted": lambda: {"heard": heard}}

    driver = """
def drive(learner, inputs, ask):
    ask("say", "one")
    try: ask("noted")
    except RuntimeError as refusal: return {"heard": ["two"], "why": str(refusal)}
"""
    probe = Probe(name="only", check="it", why="to remember", inputs={}, callbacks=offered)
    for _ in range(2):
        task = Task("", "attempt.py", "numpy", "attempt", [probe], driver)
        parts = observe(zygote.lanes[0], task).probes["only"].parts
        assert parts == {"heard": ["one"], "why": "LookupError: there is nothing to ask by that name"}
