"""The tests of A1 as a teacher would write them for a tool that runs them beside the learner's code."""

import numpy as np


def test_causal_mask(causal_mask):
    """Right at any length from one token up, as bool."""
    for T in (4, 9, 1, 13, 70):
        mask = np.asarray(causal_mask(T))
        assert mask.dtype == bool
        assert mask.shape == (T, T)
        assert np.array_equal(mask, np.tril(np.ones((T, T), dtype=bool)))
