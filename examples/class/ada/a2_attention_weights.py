import numpy as np


def attention_weights(scores, may_look):
    visible = np.where(may_look, scores, -np.inf)
    e = np.exp(visible - visible.max(axis=-1, keepdims=True))
    return e / np.einsum("ij->i", e)[:, None]
