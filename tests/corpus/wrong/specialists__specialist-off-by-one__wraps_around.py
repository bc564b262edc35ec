import numpy as np


def induction_score(weights, period):
    T = weights.shape[-1]
    i = np.arange(period, T)
    return weights[:, i, i - period - 1].mean(-1)
