import numpy as np


def attention_weights(scores, may_look):
    s = np.where(may_look, scores, -9)
    e = np.exp(s - s.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)
