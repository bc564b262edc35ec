import numpy as np


def two_heads(T: int, category: list[int], n_cat: int, *, loud: int = 100):
    slot = np.arange(T + n_cat)[:, None]
    W_k1 = (slot == np.arange(T)).astype(np.int64)
    W_q1 = loud * (slot == np.arange(1, T + 1)) * (slot < T)
    W_q2 = loud * (slot - T == np.arange(n_cat))
    return W_q1, W_k1, W_q2, np.sign(W_q2)
