import torch


def merge_heads(y):
    B, h, T, d = y.shape
    return torch.cat([y[:, i] for i in range(B)], dim=-1)
