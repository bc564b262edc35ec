import numpy as np


def attention_weights(scores, may_look):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights * may_look
