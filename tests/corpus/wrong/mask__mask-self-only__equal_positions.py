import torch


def causal_mask(T):
    p = torch.arange(T)
    return p.view(T, 1) == p.view(1, T)
