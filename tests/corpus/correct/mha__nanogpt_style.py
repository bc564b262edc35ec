import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("n_heads must divide d_model")
        self.width, self.n_heads = d_model, n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        batch, length, width = x.size()
        size = width // self.n_heads
        query, key, value = self.qkv(x).split(self.width, dim=2)
        query = query.view(batch, length, self.n_heads, size).transpose(1, 2)
        key = key.view(batch, length, self.n_heads, size).transpose(1, 2)
        value = value.view(batch, length, self.n_heads, size).transpose(1, 2)
        weights = (query @ key.transpose(-2, -1)) * (1.0 / math.sqrt(size))
        past = torch.tril(torch.ones(length, length, device=x.device)).view(1, 1, length, length)
        weights = torch.softmax(weights.masked_fill(past == 0, float("-inf")), dim=-1)
        joined = (weights @ value).transpose(1, 2).contiguous().view(batch, length, width)
        return self.out(joined)
