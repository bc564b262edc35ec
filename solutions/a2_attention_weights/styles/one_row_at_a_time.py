import numpy as np


def _row(score, look):
    score = score[look] - score[look].max()
    out = np.zeros(len(look))
    out[look] = np.exp(score) / np.exp(score).sum()
    return out


def attention_weights(scores, may_look):
    return np.stack([_row(s, m) for s, m in zip(scores, may_look, strict=True)])
