"""What a wrong split proves."""

import itertools

import numpy as np

from autograder.records import Pattern


def _moved(orders):
    """Whether all wrong cases hold the right numbers, their axes rearranged in one and the same of these orders."""

    def shows(cases):
        pairs = [(case.wanted["result"], case.got["result"]) for case in cases if not case.right]
        return any(all(np.array_equal(wanted.transpose(order), got) for wanted, got in pairs) for order in orders)

    return shows


PATTERNS = (
    Pattern(
        shows=_moved([(0, *rest) for rest in itertools.permutations((1, 2, 3)) if rest != (1, 2, 3)]),
        families=("split",),
        says="The channels were cut in the right place. What is left is the order of the axes: (B, h, T, d).",
    ),
)
