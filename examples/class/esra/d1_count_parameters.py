from torch import nn


def count_parameters(d_model, n_heads, bias=False):
    return sum(p.numel() for p in nn.MultiheadAttention(d_model, n_heads, bias=bias).parameters())
