import numpy as np


def attention_weights(scores, may_look):
    e = np.where(may_look, np.exp(scores), 0)
    return e / e.sum(axis=1, keepdims=True)
