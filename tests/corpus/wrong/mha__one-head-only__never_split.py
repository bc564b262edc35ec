import math

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.hd = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(C, dim=-1)
        s = q @ k.transpose(-2, -1) / math.sqrt(C)
        s = s.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
        return self.out(s.softmax(dim=-1) @ v)
