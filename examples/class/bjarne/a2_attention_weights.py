import numpy as np


def attention_weights(scores, may_look):
    T = len(scores)
    weights = np.zeros((T, T))
    for i in range(T):
        seen = [j for j in range(T) if may_look[i, j]]
        best = max(scores[i, j] for j in seen)
        total = sum(np.exp(scores[i, j] - best) for j in seen)
        for j in seen:
            weights[i, j] = np.exp(scores[i, j] - best) / total
    return weights
