import torch


def split_heads(x, n_head):
    B, T, C = x.shape
    return x.reshape(B, n_head, T // n_head, C)
