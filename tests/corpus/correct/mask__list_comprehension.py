import torch


def causal_mask(T):
    return torch.tensor([[j <= i for j in range(T)] for i in range(T)])
