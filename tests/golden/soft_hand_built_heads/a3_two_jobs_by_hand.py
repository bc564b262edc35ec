import numpy as np


def two_heads(T, category, n_cat):
    W_q1 = np.zeros((T + n_cat, T))
    W_k1 = np.zeros((T + n_cat, T))
    W_q2 = np.zeros((T + n_cat, n_cat))
    W_k2 = np.zeros((T + n_cat, n_cat))
    W_k1[:T] = np.eye(T)
    W_q1[:T] = np.eye(T, k=-1)
    W_q2[T:] = np.eye(n_cat)
    W_k2[T:] = np.eye(n_cat)
    return W_q1, W_k1, W_q2, W_k2
