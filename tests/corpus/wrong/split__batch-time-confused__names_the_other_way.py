import torch


def split_heads(x, n_heads):
    T, B, C = x.shape
    return x.reshape(B, T, n_heads, -1).transpose(1, 2)
