import math

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0
        self.n_heads = n_heads
        self.d_k = d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        qkv = self.qkv(x)
        q = qkv[:, :, 0:C].view(B, T, self.n_heads, self.d_k).transpose(1, 2)
        k = qkv[:, :, C:2 * C].view(B, T, self.n_heads, self.d_k).transpose(1, 2)
        v = qkv[:, :, C:2 * C].view(B, T, self.n_heads, self.d_k).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.d_k)
        mask = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
        p = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
        y = torch.matmul(p, v).transpose(1, 2).contiguous().view(B, T, C)
        return self.out(y)
