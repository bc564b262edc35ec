import torch.nn as nn


def count_parameters(d_model, n_heads, bias=False):
    mha = nn.MultiheadAttention(d_model, n_heads, bias=bias)
    return sum(p.numel() for p in mha.parameters())
