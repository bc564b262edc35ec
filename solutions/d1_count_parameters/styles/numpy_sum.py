import numpy as np


def count_parameters(d_model, n_heads, bias=False):
    d = d_model // n_heads
    per_head = np.full((n_heads, 3), d_model * d)
    if bias:
        per_head += d
    W_O = np.square(d_model) + bias * d_model
    return per_head.sum() + W_O
