import numpy as np


def causal_mask(T: int) -> np.ndarray:
    position = np.arange(T)
    return position[None, :] <= position[:, None]
