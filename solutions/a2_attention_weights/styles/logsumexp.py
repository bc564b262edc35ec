import numpy as np


def logsumexp_rows(scores):
    return np.logaddexp.reduce(scores, axis=-1, keepdims=True)


def attention_weights(scores, may_look):
    hidden = np.full_like(scores, -np.inf)
    np.copyto(hidden, scores, where=may_look)
    return np.exp(hidden - logsumexp_rows(hidden))
