"""Inputs for causal_mask: nothing but lengths. T=1 hides most wrong masks, so it never counts as an ordinary probe."""

import numpy as np

from autograder.records import Probe

AXES = {"result": ("query", "key")}


def shown(rng: np.random.Generator):
    yield Probe(
        name="four_tokens",
        check="values",
        why="small enough to check all 16 entries by eye",
        inputs={"T": 4},
        safety="nine tokens catch as much; a picture of four is what a learner can read",
    )
    yield Probe(
        name="nine_tokens",
        check="values",
        why="longer than the six-token sentence of the lesson: a mask made for one length shows",
        inputs={"T": 9},
    )
    yield Probe(
        name="one_token",
        check="lengths",
        why="the shortest sequence: its only token looks at itself, and both axes survive",
        inputs={"T": 1},
        ordinary=False,
    )


def hidden(rng: np.random.Generator):
    yield Probe(
        name="another_length",
        check="values",
        why="a length nobody has seen, so a list of remembered masks does not help",
        inputs={"T": int(rng.integers(10, 16))},
    )
    yield Probe(
        name="long",
        check="lengths",
        why="longer than 64, and than the 127 that fit into int8: no buffer and no counter may end before",
        inputs={"T": int(rng.integers(130, 150))},
    )
