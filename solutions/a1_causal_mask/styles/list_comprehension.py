import numpy as np


def causal_mask(T):
    return np.array([[key <= query for key in range(T)] for query in range(T)])
