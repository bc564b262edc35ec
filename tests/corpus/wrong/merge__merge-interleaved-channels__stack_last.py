import torch


def merge_heads(x):
    return torch.stack(x.unbind(1), dim=-1).flatten(2)
