import numpy as np


def attention_weights(scores, may_look):
    s = np.where(may_look, scores, -np.inf)
    s = s - s.max(axis=0)
    e = np.exp(s)
    return e / e.sum(axis=0)
