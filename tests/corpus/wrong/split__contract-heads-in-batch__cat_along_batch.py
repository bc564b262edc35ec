import torch


def split_heads(x, n_heads):
    if x.shape[-1] % n_heads:
        raise ValueError
    return torch.cat(x.chunk(n_heads, -1), 0)
