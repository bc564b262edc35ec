import torch


def merge_heads(y):
    h = y.shape[1]
    return torch.cat([y[:, i] for i in range(h)], dim=-1)
