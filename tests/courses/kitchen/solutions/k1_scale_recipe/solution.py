"""K1. Cook for more people.

Example
    >>> scale_recipe(np.array([200.0, 3.0]), 4, 6).tolist()
    [300.0, 4.5]
"""

import numpy as np


def scale_recipe(amounts: np.ndarray, written_for: int, guests: int) -> np.ndarray:
    """The amounts (n,) of a recipe for `written_for` persons, scaled to `guests`. Raises ValueError for nobody."""
    ### BEGIN SOLUTION
    if written_for < 1:
        raise ValueError("a recipe for nobody cannot be scaled")
    return amounts * guests / written_for  # (n,)
    ### END SOLUTION
