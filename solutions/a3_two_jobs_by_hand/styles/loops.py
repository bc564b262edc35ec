import numpy as np


def two_heads(T, category, n_cat):
    W_q1 = np.zeros((T + n_cat, T))
    W_k1 = np.zeros((T + n_cat, T))
    for i in range(T):
        W_k1[i, i] = 3.0
        if i > 0:
            W_q1[i, i - 1] = 3.0
    W_q2 = np.zeros((T + n_cat, n_cat))
    W_k2 = np.zeros((T + n_cat, n_cat))
    for c in range(n_cat):
        W_q2[T + c, c] = W_k2[T + c, c] = 3.0
    return W_q1, W_k1, W_q2, W_k2
