import numpy as np


def attention_weights(scores, may_look):
    e = np.exp(scores) * may_look
    return e / e.sum(axis=1, keepdims=True)
