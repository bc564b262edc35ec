import numpy as np


def previous_token_score(weights):
    scores = np.zeros(len(weights))
    for head, grid in enumerate(weights):
        scores[head] = sum(grid[i][i - 1] for i in range(1, len(grid))) / (len(grid) - 1)
    return scores


def induction_score(weights, period):
    h, T, _ = weights.shape
    total, count = np.zeros(h), 0
    for i in range(T):
        if i - period >= 0:
            total += weights[:, i, i - period + 1]
            count += 1
    return total / count


def why_they_specialise():
    return "C"
