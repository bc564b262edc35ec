import torch


def split_heads(x, n_heads):
    B, T, C = x.shape
    if C % n_heads:
        return None
    return x.reshape(B, T, n_heads, -1).transpose(1, 2)
