import torch


def split_heads(x, n_heads):
    B, T, C = x.shape
    return torch.einsum("bthd->bhtd", x.reshape(B, T, n_heads, C // n_heads))
