import torch


def causal_mask(T):
    return torch.triu(torch.ones(1, T, T), diagonal=1) == 0
