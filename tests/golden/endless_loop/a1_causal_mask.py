import numpy as np


def causal_mask(T):
    mask = np.zeros((T, T), dtype=bool)
    i = 0
    while i < T:
        mask[i, : i + 1] = True
    return mask
