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
        s = q @ k.transpose(-2, -1) / math.sqrt(self.hd)
        s = s.masked_fill(~torch.tril(torch.ones(T, T)).bool(), float("-inf"))
        y = torch.softmax(s, dim=-1) @ v
        return self.out(y.reshape(B, T, C))
