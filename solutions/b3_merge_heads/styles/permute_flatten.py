import torch


def merge_heads(y: torch.Tensor, start_dim: int = 2) -> torch.Tensor:
    return y.permute(0, 2, 1, 3).flatten(start_dim)
