import numpy as np


def causal_mask(T):
    position = np.arange(T)
    return position[:, None] >= position[None, :]
