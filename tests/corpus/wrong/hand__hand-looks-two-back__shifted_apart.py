import numpy as np


def two_heads(T, category, n_cat):
    a = np.vstack([np.eye(T, k=-1) * 6, np.zeros((n_cat, T))])
    b = np.vstack([np.eye(T, k=1), np.zeros((n_cat, T))])
    c = np.vstack([np.zeros((T, n_cat)), 4 * np.eye(n_cat)])
    return a, b, c, c
