import torch


def causal_mask(T):
    return ~torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
