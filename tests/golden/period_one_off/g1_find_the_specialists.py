import numpy as np


def previous_token_score(weights):
    return np.diagonal(weights, offset=-1, axis1=1, axis2=2).mean(axis=1)


def induction_score(weights, period):
    return np.diagonal(weights, offset=-period, axis1=1, axis2=2).mean(axis=1)


def why_they_specialise():
    return "B"
