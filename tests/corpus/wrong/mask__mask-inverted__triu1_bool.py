import torch


def causal_mask(T):
    return torch.triu(torch.ones(T, T), diagonal=1).bool()
