import torch


def split_heads(x, n_heads):
    if x.shape[-1] % n_heads:
        raise ValueError("uneven heads")
    # every n_heads-th channel goes to the same head
    return torch.stack([x[..., i::n_heads] for i in range(n_heads)], dim=1)
