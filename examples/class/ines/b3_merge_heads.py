import torch


def merge_heads(y: torch.Tensor) -> torch.Tensor:
    B, h, T, d = y.shape
    return y.reshape(B, T, h * d)
