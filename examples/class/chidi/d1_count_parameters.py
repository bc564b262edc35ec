from torch import nn


def count_parameters(d_model: int, n_heads: int, bias: bool = False) -> int:
    layers = nn.ModuleList([nn.Linear(d_model, 3 * d_model, bias=bias), nn.Linear(d_model, d_model, bias=bias)])
    return sum(p.numel() for p in layers.parameters())
