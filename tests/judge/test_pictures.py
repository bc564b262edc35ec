"""Which answers get a picture, and what is in it."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.judge.key import Key
from autograder.judge.pictures import picture
from autograder.records import Array, Observation, Picture, Probe

WEIGHTS = np.tri(3, dtype=np.float32) / np.arange(1, 4, dtype=np.float32)[:, None]
HEADS = np.stack([WEIGHTS, WEIGHTS])[None]  # (1, 2, 3, 3)


def drawn(wanted: np.ndarray, got: np.ndarray, *, shown: bool = True) -> Picture | None:
    """The picture of one answer."""
    probe = Probe(name="p", check="c", why="t", inputs={}, shown=shown)
    first, second = (Observation("p", "returned", parts={"result": Array.of(x)}) for x in (wanted, got))
    axes = {"result": ("batch", "head", "query", "key")[-wanted.ndim :]}
    return picture(Key("x", "f", (probe,), {"p": first}, axes=axes), probe, second)


def test_a_mask_is_drawn_as_truth_values() -> None:
    """Yours, the target, and what rows and columns are."""
    found = drawn(np.tri(2, dtype=bool), np.ones((2, 2), bool))
    assert found == Picture("", ((True, True), (True, True)), ((True, False), (True, True)), "query", "key")


def test_of_many_heads_the_first_wrong_one_is_drawn() -> None:
    """The title tells which; what is no finite number stands as nothing."""
    wrong = HEADS.copy()
    wrong[0, 1, 0] = [np.nan, np.inf, 0.25]
    found = drawn(HEADS, wrong)
    assert found
    assert (found.title, found.yours[0]) == ("batch 0, head 1", (None, None, 0.25))


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        (WEIGHTS, WEIGHTS),
        (WEIGHTS, WEIGHTS[:2]),
        (WEIGHTS - 1, WEIGHTS),
        (np.tri(3, dtype=bool), np.tri(3)),
        (np.zeros((3, 4)), np.ones((3, 4))),
        (np.zeros((13, 13)), np.ones((13, 13))),
        (np.zeros(3), np.ones(3)),
    ],
    ids=["right", "another shape", "no shares", "another dtype", "no square", "too large", "one axis"],
)
def test_what_gets_no_picture(wanted: np.ndarray, got: np.ndarray) -> None:
    """A picture is drawn only where it shows something."""
    assert drawn(wanted, got) is None


def test_hidden_probes_are_never_drawn() -> None:
    """A picture holds the right answer."""
    assert drawn(WEIGHTS, WEIGHTS.T, shown=False) is None
