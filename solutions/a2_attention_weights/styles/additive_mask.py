import numpy as np


def softmax(x, axis=-1):
    x = x - np.amax(x, axis=axis, keepdims=True)
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)


def attention_weights(scores, may_look, temperature=1.0):
    penalty = np.zeros(may_look.shape, dtype=scores.dtype)
    penalty[~may_look] = -np.inf
    return softmax(scores / temperature + penalty)
