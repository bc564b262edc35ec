import numpy as np


def parabola(n, wanted, sharpness):
    """Scores 2ab - b^2 = a^2 - (a - b)^2, largest where b equals the wanted a."""
    q, k = np.zeros((2, n, n))
    if n > 1:
        q[:, 0], q[:, 1] = 2 * sharpness * wanted, -sharpness
        k[:, 0], k[:, 1] = np.arange(n), np.arange(n) ** 2
    return q, k


def two_heads(T, category, n_cat):
    q1, k1 = parabola(T, np.arange(T) - 1, 9)
    q2, k2 = parabola(n_cat, np.arange(n_cat), 9)
    below, above = ((0, n_cat), (0, 0)), ((T, 0), (0, 0))
    return np.pad(q1, below), np.pad(k1, below), np.pad(q2, above), np.pad(k2, above)
