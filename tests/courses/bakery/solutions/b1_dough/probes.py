"""Amounts for one loaf, and numbers of loaves."""

from autograder.records import Probe


def shown(rng):
    yield Probe(name="three", check="amounts", why="a small order", inputs={"amounts": rng.random(4) + 1, "loaves": 3})
    yield Probe(
        name="kept",
        check="kept",
        why="keep them",
        inputs={"amounts": rng.random(3), "loaves": 2},
        ordinary=False,
    )


def hidden(rng):
    yield Probe(name="five", check="amounts", why="another order", inputs={"amounts": rng.random(6) + 1, "loaves": 5})
