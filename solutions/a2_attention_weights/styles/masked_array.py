import numpy as np


def attention_weights(scores, may_look):
    s = np.ma.masked_array(scores, mask=~may_look)
    e = np.ma.exp(s - s.max(axis=1)[:, None])
    w = e / e.sum(axis=1)[:, None]
    return w.filled(0.0)
