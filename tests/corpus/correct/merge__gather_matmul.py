import torch


def merge_heads(x):
    B, h, T, hd = x.shape
    place = torch.eye(h * hd, dtype=x.dtype, device=x.device).view(h, hd, h * hd)
    return torch.einsum("bhtd,hdc->btc", x, place)
