"""Bowls. The weights stay with the grader: a worker can only ask for one at a time."""

from autograder.records import Probe


def shown(rng):
    yield _probe("three", [120, 300, 80], "the heaviest bowl is neither the first nor the last")
    yield _probe("at_the_end", [90, 60, 95, 310], "the heaviest bowl is the last")


def hidden(rng):
    yield _probe("many", [*rng.permutation(range(100, 119)).tolist(), 119], "so many that nobody can have guessed")


def _probe(name, grams, why):
    return Probe(
        name=name,
        check="found",
        why=why,
        inputs={"bowls": len(grams)},
        callbacks={"weigh": lambda bowl: grams[bowl]},
    )
