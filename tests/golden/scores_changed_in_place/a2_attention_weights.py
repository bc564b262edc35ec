import numpy as np


def attention_weights(scores, may_look):
    scores[~may_look] = -np.inf
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
