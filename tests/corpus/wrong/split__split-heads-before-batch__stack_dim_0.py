import torch


def split_heads(x, n_head):
    return torch.stack(x.chunk(n_head, -1), 0)
