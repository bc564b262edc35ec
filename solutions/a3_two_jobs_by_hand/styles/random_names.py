import numpy as np


def two_heads(T, category, n_cat):
    rng = np.random.default_rng()

    def names(n):
        """n directions at right angles to each other, a name for each of n things."""
        return np.linalg.qr(rng.normal(size=(n, n)))[0]

    place, kind = names(T), names(n_cat)
    W_q1, W_k1 = np.zeros((2, T + n_cat, T))
    W_k1[:T] = 4 * place
    W_q1[1:T] = 4 * place[:-1]
    W_q2, W_k2 = np.zeros((2, T + n_cat, n_cat))
    W_q2[T:] = W_k2[T:] = 4 * kind
    return W_q1, W_k1, W_q2, W_k2
