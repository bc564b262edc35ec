import torch.nn as nn


def count_parameters(d_model, n_heads, bias=False):
    hd = d_model // n_heads
    head = [nn.Linear(d_model, hd, bias=bias) for _ in "qkv"]
    out = nn.Linear(d_model, d_model, bias=bias)
    return sum(p.numel() for layer in head + [out] for p in layer.parameters())
