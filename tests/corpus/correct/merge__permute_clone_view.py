import torch


def merge_heads(x):
    B, h, T, hd = x.shape
    return x.permute(0, 2, 1, 3).clone(memory_format=torch.contiguous_format).view(B, T, -1)
