import torch


def causal_mask(T):
    return torch.ones(T, T).tril() > 0
