import numpy as np


def attention_weights(scores, may_look):
    rows = np.longdouble(scores)
    top = rows.max(axis=1, keepdims=True, where=may_look, initial=-np.inf)
    weights = np.exp(rows - top, where=may_look, out=np.zeros_like(rows))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights.astype(scores.dtype)
