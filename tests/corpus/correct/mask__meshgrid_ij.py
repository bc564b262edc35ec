import torch


def causal_mask(T):
    rows, cols = torch.meshgrid(torch.arange(T), torch.arange(T), indexing="ij")
    return rows >= cols
