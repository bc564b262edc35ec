import numpy as np


def causal_mask(T):
    i, j = np.indices((T, T))
    return j <= i
