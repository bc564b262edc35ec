import torch


def causal_mask(T):
    return torch.tril(torch.ones(T, T))
