"""What a wrong size of a cache proves: a size is one product, so what is missing can be read from what is left."""

import math
from itertools import combinations

from autograder.records import Pattern

FACTORS = ("n_layers", "n_kv_heads", "d_head", "tokens", "batch", "bytes_per_number")
UNITS = tuple(base**power for base in (1000, 1024) for power in (1, 2, 3))


def _caches(cases):
    """(inputs, size that came back, right size) of each wrong cache. Raises ValueError where a count is wrong, too."""
    wrong = [case for case in cases if not case.right]
    if not all("tokens" in case.inputs for case in wrong):
        raise ValueError
    return [(case.inputs, case.got["result"], case.wanted["result"]) for case in wrong]


def _without(*names):
    """Whether exactly these factors are missing; "2" is the one for keys and values."""

    def shows(cases):
        return all(
            math.isclose(got * math.prod(2 if name == "2" else inputs[name] for name in names), wanted)
            for inputs, got, wanted in _caches(cases)
        )

    return shows


def _in_unit(cases):
    """The right size in another unit, however it was rounded."""
    found = _caches(cases)
    return any(
        all(abs(got - wanted / unit) < 1 for _, got, wanted in found) and any(got >= 1 for _, got, _ in found)
        for unit in UNITS
    )


def _factor(name):
    return "the 2 for keys and values" if name == "2" else name


PATTERNS = (
    Pattern(
        shows=_in_unit,
        families=("cache",),
        says="That is the right size in another unit, rounded. Asked are bytes, a whole number; dividing is for people,"
        " when it is printed.",
    ),
    *(
        Pattern(
            shows=_without(one, other),
            families=("cache",),
            says=f"Two factors are missing: {_factor(one)}, and {_factor(other)}.",
        )
        for one, other in combinations(("2", *FACTORS), 2)
    ),
)
