"""Sketches find what agrees, and leave aside most of what does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from autograder.judge.compare import same
from autograder.judge.sketch import Sketches
from autograder.plain import Array
from autograder.records import Observation, Probe

PROBE = Probe(name="p", check="c", why="test", inputs={})
NUMBERS = st.floats(-1e4, 1e4, width=32) | st.sampled_from([np.nan, np.inf, -np.inf])


def returned(**parts: Any) -> dict[str, Observation]:
    """The claim that a call returned these parts."""
    plain = {name: Array.of(part) if isinstance(part, np.ndarray) else part for name, part in parts.items()}
    return {"p": Observation("p", "returned", parts=plain)}


def near(kept: dict[str, Observation], got: dict[str, Observation]) -> bool:
    """Whether the answer that is kept is one of those worth comparing with what came."""
    return Sketches.of([kept], [PROBE]).near(got, [PROBE]) == [0]


@given(st.data(), arrays(np.float32, array_shapes(max_side=5), elements=NUMBERS))
def test_what_agrees_is_never_left_aside(data: st.DataObject, values: np.ndarray) -> None:
    """Off by no more than the tolerance everywhere, up or down."""
    tolerance = np.nan_to_num(0.9 * (PROBE.atol + PROBE.rtol * np.abs(values)), posinf=0.0)
    signs = data.draw(arrays(np.int8, values.shape, elements=st.sampled_from([-1, 0, 1])))
    moved = (values + signs * tolerance).astype(np.float32)
    kept, got = returned(result=values, count=3), returned(count=3, result=moved)
    if same(kept["p"], got["p"], PROBE):  # float32 may round what was moved out of the tolerance
        assert near(kept, got)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.array([[0.5, 0.5], [0.2, 0.8]]), np.array([[0.5, 0.5], [0.8, 0.2]])),  # rows of shares, all with sum 1
        (np.array([True, False]), np.array([False, True])),
        (3, 4),
        (3, 3.0),
        ({"head": 1}, {"heads": 1}),
        ([1, "two"], [1, "three"]),
    ],
)
def test_what_differs_plainly_is_left_aside(one: Any, other: Any) -> None:
    """Comparing in full is for what looks alike."""
    assert near(returned(result=one), returned(result=one))
    assert not near(returned(result=one), returned(result=other))


def test_an_answer_that_cannot_be_sketched_is_near_nothing() -> None:
    """A measure may fail on what a submission sends; and too long a number has no text."""
    measuring = Probe(name="p", check="c", why="test", inputs={}, measure=lambda inputs, parts: {"x": parts["nowhere"]})
    kept = Sketches.of([returned(result=np.ones(2))], [PROBE])
    for got, probe in ((returned(result=1), measuring), (returned(result=10**5000), PROBE)):
        assert kept.near(got, [probe]) == []
