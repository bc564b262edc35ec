import torch


def causal_mask(T):
    mask = torch.ones(T, T, dtype=torch.bool).tril()
    return mask.t()
