import torch


def split_heads(x, n_heads):
    B, T, C = x.shape
    if C % n_heads:
        raise ValueError(f"{C} {n_heads}")
    d = C // n_heads
    return torch.stack(x.split(d, -1)[::-1], 1)
