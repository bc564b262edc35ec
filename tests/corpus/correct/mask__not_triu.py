import torch


def causal_mask(T):
    future = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    return ~future
