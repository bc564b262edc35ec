import numpy as np


def head_of_channel(c, d_model, n_head):
    return np.repeat(np.arange(n_head), d_model // n_head)[c]


def mixture(j, C, h_trained, h_loaded):
    channels = np.arange(C).reshape(h_loaded, -1)[j]
    heads, counts = np.unique(head_of_channel(channels, C, h_trained), return_counts=True)
    return dict(zip(heads, counts, strict=True))
