import torch.nn as nn


def count_parameters(d_model, n_heads, bias=False):
    layers = [nn.Linear(d_model, d_model) for _ in range(4)]
    return sum(p.numel() for layer in layers for p in layer.parameters())
