import torch


def split_heads(x: torch.Tensor, n_heads: int) -> torch.Tensor:
    assert x.size(-1) % n_heads == 0, "the width must be a multiple of n_heads"
    return x.unflatten(-1, (n_heads, -1)).permute(0, 2, 1, 3)
