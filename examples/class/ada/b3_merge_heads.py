import torch


def merge_heads(y):
    return torch.einsum("bhtd->bthd", y).flatten(2)
