import torch


def causal_mask(T):
    future = torch.triu(torch.ones(T, T, dtype=torch.uint8), diagonal=1)
    return (~future).bool()
