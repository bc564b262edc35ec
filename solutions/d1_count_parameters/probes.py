"""Sizes for count_parameters. Several heads wherever possible: with one head most wrong counts come out right."""

import numpy as np

from autograder.records import Probe


def shown(rng: np.random.Generator):
    yield Probe(
        name="lesson",
        check="weights",
        why="the layer of the lesson, without saying anything about a bias",
        inputs={"d_model": 32, "n_heads": 4},
        safety="more heads catch as much; these are the numbers of the lesson",
    )
    yield Probe(
        name="more_heads",
        check="weights",
        why="three times the width and more heads: the count must follow the width alone",
        inputs={"d_model": 96, "n_heads": 8, "bias": False},
    )
    yield Probe(
        name="with_bias",
        check="biases",
        why="five heads of eight channels with biases: 5, 8 and 40 tell head, head size and width apart",
        inputs={"d_model": 40, "n_heads": 5, "bias": True},
    )


def hidden(rng: np.random.Generator):
    n_heads, d_head = int(rng.choice([5, 7])), int(rng.choice([11, 13, 17]))
    yield Probe(
        name="drawn",
        check="weights",
        why="a head count and a head size that nobody could have prepared for",
        inputs={"d_model": n_heads * d_head, "n_heads": n_heads},
    )
    yield Probe(
        name="one_head",
        check="weights",
        why="a single head is as large as many",
        inputs={"d_model": 20, "n_heads": 1, "bias": False},
        safety="the drawn sizes catch all that is known; an answer may treat a single head as a special case",
    )
    yield Probe(
        name="drawn_with_bias",
        check="biases",
        why="the same layer with biases: the difference between the two counts is the biases alone",
        inputs={"d_model": n_heads * d_head, "n_heads": n_heads, "bias": True},
    )
