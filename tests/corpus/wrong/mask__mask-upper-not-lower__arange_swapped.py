import torch


def causal_mask(T):
    row = torch.arange(T).unsqueeze(0)
    col = torch.arange(T).unsqueeze(1)
    return row >= col
