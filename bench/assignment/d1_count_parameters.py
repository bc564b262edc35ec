"""The tests of D1 as a teacher would write them for a tool that runs them beside the learner's code."""

import operator


def test_count_parameters(count_parameters):
    """Right with and without biases, as a whole number."""
    for C, h in ((32, 4), (96, 8), (55, 5), (20, 1)):
        assert operator.index(count_parameters(C, h)) == 4 * C * C
    for C, h in ((24, 3), (55, 5), (768, 12)):
        assert operator.index(count_parameters(C, h, True)) == 4 * C * C + 4 * C
