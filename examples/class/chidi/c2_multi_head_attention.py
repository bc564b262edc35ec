import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        assert d_model % n_heads == 0, "the width must be a multiple of n_heads"
        self.n_heads = n_heads
        self.out = nn.Linear(d_model, d_model, bias=False)
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.qkv(x).unflatten(-1, (3, self.n_heads, -1)).permute(2, 0, 3, 1, 4)
        allowed = torch.ones(x.size(1), x.size(1), dtype=torch.bool, device=x.device).tril()
        scores = q @ k.mT * q.size(-1) ** -0.5
        weights = scores.where(allowed, -torch.inf).softmax(dim=-1)
        return self.out((weights @ v).permute(0, 2, 1, 3).flatten(2))
