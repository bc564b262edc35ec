import math

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.head_dim = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        parts = self.qkv(x).split(C, dim=-1)
        q, k, v = [p.view(B, T, self.n_heads, self.head_dim).transpose(1, 2) for p in parts]
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        keep = torch.tril(torch.ones(T, T)).bool()
        w = scores.masked_fill(~keep, float("-inf")).softmax(dim=-1)
        return self.out((w @ v).transpose(1, 2).reshape(B, T, C))
