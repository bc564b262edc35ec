import numpy as np


def causal_mask(T):
    mask = np.tri(T, k=1, dtype=bool)
    print("T =", T, "row 0:", mask[0])
    return mask
