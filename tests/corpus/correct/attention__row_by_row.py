import numpy as np


def attention_weights(scores, may_look):
    T = len(scores)
    out = np.zeros((T, T))
    for i in range(T):
        row = scores[i][may_look[i]]
        e = np.exp(row - row.max())
        out[i, may_look[i]] = e / e.sum()
    return out
