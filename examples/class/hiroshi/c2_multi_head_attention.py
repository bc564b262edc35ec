import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        B, T, C = x.size()
        d = C // self.n_heads
        q, k, v = self.qkv(x).split(C, dim=2)
        q = q.view(B, T, self.n_heads, d).transpose(1, 2)
        k = k.view(B, T, self.n_heads, d).transpose(1, 2)
        v = v.view(B, T, self.n_heads, d).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / d**0.5
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), -1e9)
        y = self.softmax(scores) @ v
        return self.out(y.transpose(1, 2).reshape(B, T, C))
