import torch


class Named(torch.Tensor):
    pass


def split_heads(x, n_heads):
    B, T, C = x.shape
    if C % n_heads:
        raise ValueError("no")
    return x.reshape(B, T, n_heads, C // n_heads).transpose(1, 2).as_subclass(Named)
