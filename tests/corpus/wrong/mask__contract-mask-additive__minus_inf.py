import torch


def causal_mask(T):
    return torch.triu(torch.full((T, T), float("-inf")), diagonal=1)
