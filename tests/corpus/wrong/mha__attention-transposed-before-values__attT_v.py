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
        q, k, v = [t.view(B, T, self.n_heads, self.hd).transpose(1, 2) for t in self.qkv(x).split(C, dim=-1)]
        s = (q @ k.transpose(-2, -1) / math.sqrt(self.hd)).masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
        y = s.softmax(-1).transpose(-2, -1) @ v
        return self.out(y.transpose(1, 2).reshape(B, T, C))
