import numpy as np


def attention_weights(scores, may_look):
    scores = np.where(may_look, scores, -np.inf)
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
