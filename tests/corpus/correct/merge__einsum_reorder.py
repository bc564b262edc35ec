import torch


def merge_heads(x):
    y = torch.einsum("bhtd->bthd", x)
    return y.reshape(*y.shape[:2], -1)
