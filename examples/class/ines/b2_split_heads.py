import torch


def split_heads(x: torch.Tensor, n_heads: int) -> torch.Tensor:
    B, T, C = x.shape
    if C % n_heads:
        raise ValueError(f"{C} channels, {n_heads} heads")
    return x.reshape(B, n_heads, T, C // n_heads)  # (B, h, T, d)
