import torch


def causal_mask(T):
    return torch.arange(T) < T
