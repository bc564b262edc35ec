import torch


def split_heads(x, n_head):
    return torch.stack([x[..., i::n_head] for i in range(n_head)], dim=1)
