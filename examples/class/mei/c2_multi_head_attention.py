import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = [t.reshape(B, T, self.n_heads, -1).movedim(2, 1) for t in self.qkv(x).chunk(3, dim=-1)]
        scores = q @ k.mT / q.shape[-1] ** 0.5
        mask = torch.ones(T, T, dtype=torch.bool).tril()
        attention = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        return (attention @ v).movedim(1, 2).flatten(-2)
