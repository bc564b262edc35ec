"""Bowls. The weights stay with the grader: a worker can only ask for one at a time."""

from autograder.records import Probe


def shown(rng):
    yield _probe("three", [120, 300, 80])


def hidden(rng):
    yield _probe("many", rng.permutation(range(100, 120)).tolist())


def _probe(name, grams):
    return Probe(
        name=name,
        check="found",
        why="the heaviest bowl is neither the first nor the last shown one",
        inputs={"bowls": len(grams)},
        callbacks={"weigh": lambda bowl: grams[bowl]},
    )
