import numpy as np


def causal_mask(T):
    return (np.tril(np.ones((T, T), np.float32)) @ np.eye(T, dtype=np.float32)) > 0
