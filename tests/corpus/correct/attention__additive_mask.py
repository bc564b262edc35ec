import numpy as np


def attention_weights(scores, may_look):
    s = scores + np.where(may_look, 0.0, -np.inf)
    s = s - s.max(1)[:, None]
    e = np.exp(s)
    return e / e.sum(1)[:, None]
