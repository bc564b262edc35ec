import numpy as np


def two_heads(T, category, n_cat):
    n = T + n_cat
    W_q1, W_k1 = np.zeros((n, T)), np.zeros((n, T))
    W_q2, W_k2 = np.zeros((n, n_cat)), np.zeros((n, n_cat))
    for i in range(T):
        W_k1[i, i] = 1.0
        if i > 0:
            W_q1[i, i - 1] = 12.0
    for c in range(n_cat):
        W_q2[T + c, c] = 12.0
        W_k2[T + c, c] = 1.0
    return W_q1, W_k1, W_q2, W_k2
