import numpy as np


def head_of_channel(c, d_model, n_head):
    return int(np.floor(c * n_head / d_model))


def mixture(j, C, h_trained, h_loaded):
    d = C // h_loaded
    channels = np.arange(j * d, (j + 1) * d)
    heads, counts = np.unique(channels // (C // h_trained), return_counts=True)
    return dict(zip(heads.tolist(), counts.tolist()))
