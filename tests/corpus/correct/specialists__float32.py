import numpy as np


def previous_token_score(weights):
    return np.diagonal(weights, -1, 1, 2).mean(-1).astype(np.float32)


def induction_score(weights, period):
    return np.diagonal(weights, 1 - period, 1, 2)[:, 1:].mean(-1)


def why_they_specialise():
    return "C"
