import torch


def split_heads(x, n_heads):
    B, T, C = x.shape
    assert C % n_heads == 0
    d_head = C // n_heads
    return x.view(B, T, n_heads, d_head).transpose(1, 2)  # (B, h, T, d_head)
