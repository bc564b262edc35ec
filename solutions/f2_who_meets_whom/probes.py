"""Inputs for head_of_channel and mixture.

Head count and head size differ everywhere (with 3 heads of 3 channels, dividing by the one or by the other is the same)
and the channels on both sides of a cut are always among those asked for.
"""

import numpy as np

from autograder.records import Probe


def _around_cuts(d_model: int, n_head: int) -> list[int]:
    """The first and last channel of every head, and one from its middle."""
    d = d_model // n_head
    return [head * d + offset for head in range(n_head) for offset in (0, d // 2 + 1, d - 1)]


def shown(rng: np.random.Generator):
    yield Probe(
        name="lesson",
        check="heads",
        why="the picture of the lesson: three heads of four channels",
        inputs={"channels": list(range(12)), "d_model": 12, "n_head": 3},
    )
    yield Probe(
        name="sixteen_heads",
        check="heads",
        why="768 channels in 16 heads: neither 12 heads nor heads of 64 can be built in",
        inputs={"channels": _around_cuts(768, 16), "d_model": 768, "n_head": 16},
    )
    yield Probe(
        name="half_and_half",
        call="mixture",
        check="mixtures",
        why="loaded head 1 of the story starts inside a trained head",
        inputs={"j": 1, "C": 768, "h_trained": 16, "h_loaded": 12},
    )
    yield Probe(
        name="three_in_one",
        call="mixture",
        check="mixtures",
        why="heads of 6 loaded as heads of 15: head 1 takes half a trained head and two whole ones",
        inputs={"j": 1, "C": 60, "h_trained": 10, "h_loaded": 4},
    )


def hidden(rng: np.random.Generator):
    n_head, d_head = int(rng.choice([5, 7])), int(rng.choice([8, 9, 11]))
    yield Probe(
        name="drawn",
        check="heads",
        why="a head count and a head size that nobody could have prepared for, odd and even",
        inputs={"channels": list(range(n_head * d_head)), "d_model": n_head * d_head, "n_head": n_head},
    )
    yield Probe(
        name="twelve_heads",
        check="heads",
        why="the same width as the model was loaded",
        inputs={"channels": _around_cuts(768, 12), "d_model": 768, "n_head": 12},
        safety="the drawn sizes catch as much; these are the numbers of the story",
    )
    yield Probe(
        name="later_head",
        call="mixture",
        check="mixtures",
        why="a loaded head far behind the first, where a wrong start has had time to grow",
        inputs={"j": int(rng.choice([5, 8])), "C": 768, "h_trained": 16, "h_loaded": 12},
        safety="the other loaded heads catch as much; this is the story itself",
    )
    yield Probe(
        name="the_other_way",
        call="mixture",
        check="mixtures",
        why="trained with 12 and loaded with 16: the loaded head is the smaller one and crosses a cut",
        inputs={"j": int(rng.choice([5, 9])), "C": 768, "h_trained": 12, "h_loaded": 16},
    )
    yield Probe(
        name="inside_one_head",
        call="mixture",
        check="mixtures",
        why="a loaded head that lies inside a single trained head",
        inputs={"j": 4, "C": 60, "h_trained": 4, "h_loaded": 10},
    )
