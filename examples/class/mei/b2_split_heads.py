import torch


def split_heads(x, n_heads):
    # reshape complains by itself when the width does not fit
    return x.reshape(x.shape[0], x.shape[1], n_heads, x.shape[2] // n_heads).movedim(2, 1)
