import numpy as np


def causalmask(T):
    return np.tri(T, dtype=bool)
