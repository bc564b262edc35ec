import torch


def split_heads(x: torch.Tensor, n_heads: int) -> torch.Tensor:
    B, T, C = x.shape
    if C % n_heads != 0:
        raise ValueError("cannot split")
    d = C // n_heads
    b, t, c = x.stride()
    return torch.as_strided(x, (B, n_heads, T, d), (b, d * c, t, c), x.storage_offset())
