"""Recipes. No two numbers of a probe are alike, so none can stand in for another."""

import numpy as np

from autograder.records import Probe

AXES = {"result": ("ingredient",)}


def shown(rng):
    yield Probe(
        name="pancakes",
        check="amounts",
        why="three amounts of different size",
        inputs={"amounts": np.array([250.0, 2.0, 500.0]), "written_for": 4, "guests": 10},
    )
    yield Probe(
        name="nobody",
        check="nobody",
        why="there is no ratio to zero persons",
        inputs={"amounts": np.array([250.0]), "written_for": 0, "guests": 3},
        ordinary=False,
    )
    yield Probe(
        name="kept",
        check="kept",
        why="who scales in place spoils the caller's recipe, even one for a single person",
        inputs={"amounts": np.array([125.0, 7.0]), "written_for": 1, "guests": 3},
        ordinary=False,
    )


def hidden(rng):
    yield Probe(
        name="banquet",
        check="amounts",
        why="amounts nobody can have typed in",
        inputs={"amounts": rng.uniform(1, 9, 5), "written_for": 3, "guests": 70},
    )
