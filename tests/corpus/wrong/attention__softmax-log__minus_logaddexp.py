import numpy as np


def attention_weights(scores, may_look):
    s = np.where(may_look, scores, -np.inf)
    return s - np.logaddexp.reduce(s, axis=1, keepdims=True)
