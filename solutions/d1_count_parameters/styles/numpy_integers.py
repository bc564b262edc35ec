import numpy as np


def count_parameters(d_model, n_heads, bias=False, n_projections=4):
    weight = np.ones((n_projections, d_model, d_model + bool(bias)), dtype=np.uint8)
    return np.count_nonzero(weight)


def count_all(d_models, n_heads):
    return np.array([count_parameters(d, n_heads) for d in d_models]).sum()
