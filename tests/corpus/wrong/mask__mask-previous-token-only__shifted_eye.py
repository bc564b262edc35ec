import torch


def causal_mask(T):
    return torch.diag(torch.ones(T - 1), -1).bool() if T > 1 else torch.zeros(1, 1).bool()
