import math

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.head_dim = d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(C, dim=-1)
        blocked = torch.triu(torch.ones(T, T, device=x.device), diagonal=1).bool()
        heads = []
        for i in range(self.n_heads):
            sl = slice(i * self.head_dim, (i + 1) * self.head_dim)
            s = q[..., sl] @ k[..., sl].transpose(1, 2) / math.sqrt(self.head_dim)
            heads.append(torch.softmax(s.masked_fill(blocked, float("-inf")), dim=-1) @ v[..., sl])
        return self.out(torch.cat(heads, dim=-1))
