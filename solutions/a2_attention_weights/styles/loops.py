import math

import numpy as np


def attention_weights(scores, may_look):
    T = len(scores)
    weights = np.zeros_like(scores)
    for i in range(T):
        visible = [j for j in range(T) if may_look[i][j]]
        top = max(scores[i][j] for j in visible)
        total = 0.0
        for j in visible:
            weights[i][j] = math.exp(scores[i][j] - top)
            total += weights[i][j]
        for j in visible:
            weights[i][j] /= total
    return weights
