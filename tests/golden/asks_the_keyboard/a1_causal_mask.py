import numpy as np


def causal_mask(T):
    mask = np.tril(np.ones((T, T), dtype=bool))
    input("go on? ")
    return mask
