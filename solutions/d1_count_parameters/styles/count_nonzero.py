import numpy as np


def count_parameters(d_model, n_heads, bias=False, n_projections=4):
    weights = np.ones((n_projections, d_model, d_model + bool(bias)), dtype=np.uint8)
    return np.count_nonzero(weights)
