import torch


def split_heads(x, n_head):
    B, T, C = x.shape
    return torch.einsum("bthd->bhtd", x.reshape(B, T, n_head, C // n_head))
