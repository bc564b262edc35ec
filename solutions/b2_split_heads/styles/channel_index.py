import torch


def split_heads(x, n_heads):
    d = x.shape[-1] // n_heads
    if d * n_heads != x.shape[-1]:
        raise ArithmeticError
    channel = d * torch.arange(n_heads)[:, None] + torch.arange(d)
    return x[..., channel].swapaxes(1, 2)
