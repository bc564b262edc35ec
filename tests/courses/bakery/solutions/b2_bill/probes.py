"""Orders of different sizes."""

from autograder.records import Probe


def _order(rng, kinds, loaves):
    return {"amounts": rng.random(kinds) + 1, "loaves": loaves, "prices": rng.random(kinds) + 2}


def shown(rng):
    yield Probe(name="three", check="costs", why="a small order", inputs=_order(rng, 4, 3))
    yield Probe(name="seven", check="costs", why="a large order", inputs=_order(rng, 5, 7))


def hidden(rng):
    yield Probe(name="five", check="costs", why="another order", inputs=_order(rng, 6, 5))
