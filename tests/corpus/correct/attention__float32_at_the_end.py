import numpy as np


def attention_weights(scores, may_look):
    s = np.where(may_look, scores, -np.inf)
    s = (s - s.max(-1, keepdims=True)).astype(np.float32)
    e = np.exp(s)
    return e / e.sum(-1, keepdims=True)
