import numpy as np


def causal_mask(T, grow=True):
    if T == 1:
        return np.array([[True]])
    bigger = np.pad(causal_mask(T - 1), ((0, 1), (0, 1)))
    bigger[-1] = grow
    return bigger
