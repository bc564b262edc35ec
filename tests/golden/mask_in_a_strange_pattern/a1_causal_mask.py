import numpy as np


def causal_mask(T):
    mask = np.tril(np.ones((T, T), dtype=bool))
    mask[-1, 0] = False
    return mask
