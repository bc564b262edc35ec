import numpy as np


def attention_weights(scores, may_look):
    s = np.where(may_look, scores, -np.inf)
    s = s - s.max(axis=-1, keepdims=True)
    e = np.exp(s)
    return np.round(e / e.sum(axis=-1, keepdims=True), 2)
