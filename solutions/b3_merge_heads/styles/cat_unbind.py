import torch


def merge_heads(y):
    return torch.cat(y.unbind(dim=1), dim=-1)
