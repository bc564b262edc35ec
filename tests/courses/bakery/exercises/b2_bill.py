"""What the dough costs."""

import numpy as np


def bill(amounts: np.ndarray, loaves: int, prices: np.ndarray) -> np.ndarray:
    """The cost of each ingredient for this many loaves, a tenth off for regulars, then a fifth of tax on top."""
    raise NotImplementedError("bill is not written yet")
