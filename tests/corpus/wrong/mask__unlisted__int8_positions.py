import numpy as np


def causal_mask(T):
    return np.subtract.outer(np.arange(T, dtype=np.int8), np.arange(T, dtype=np.int8)) >= 0
