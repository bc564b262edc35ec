import numpy as np


def causal_mask(T):
    return [np.arange(T) <= i for i in range(T)]
