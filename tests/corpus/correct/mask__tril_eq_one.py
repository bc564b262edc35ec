import torch


def causal_mask(T):
    lower = torch.tril(torch.ones((T, T)))
    return lower == 1
