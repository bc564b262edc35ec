import numpy as np


def causal_mask(T):
    return np.where(np.tri(T) > 0, 0.0, np.finfo(np.float32).min)
