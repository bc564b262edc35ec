import torch


def split_heads(x: torch.Tensor, n_heads: int) -> torch.Tensor:
    B, T, C = x.size()
    assert C % n_heads == 0, "d_model must be divisible by n_heads"
    d = C // n_heads
    x = x.contiguous().view(B, T, n_heads, d)
    return x.permute(0, 2, 1, 3).contiguous()
