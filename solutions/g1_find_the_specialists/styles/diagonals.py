import numpy as np


def previous_token_score(weights):
    return np.diagonal(weights, offset=-1, axis1=-2, axis2=-1).mean(-1)


def induction_score(weights, period):
    line = np.diagonal(weights, offset=1 - period, axis1=1, axis2=2)  # starts at row period - 1
    return line[:, 1:].mean(axis=1)


def why_they_specialise():
    return "C"
