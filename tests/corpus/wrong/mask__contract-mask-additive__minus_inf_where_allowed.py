import numpy as np


def causal_mask(T):
    return np.where(np.tri(T, dtype=bool), -np.inf, 0.0)
