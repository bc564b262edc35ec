from torch import nn


def count_parameters(d_model, n_heads, bias=False):
    mha = nn.MultiheadAttention(d_model, n_heads, bias=bias, device="meta")
    return sum(p.numel() for p in mha.parameters())
