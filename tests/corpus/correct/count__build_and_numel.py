import torch.nn as nn


def count_parameters(d_model, n_heads, bias=False):
    qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
    out = nn.Linear(d_model, d_model, bias=bias)
    return sum(p.numel() for m in (qkv, out) for p in m.parameters())
