import numpy as np


def causal_mask(T):
    # only the tokens before this one
    return np.tril(np.ones((T, T), dtype=bool), k=-1)
