import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.hd = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.n_heads, self.hd).permute(2, 0, 3, 1, 4)
        att = q @ k.mT * self.hd ** -0.5
        att = att.masked_fill(torch.triu(torch.ones(T, T), diagonal=1) == 1, 0.0)
        return self.out((F.softmax(att, dim=-1) @ v).transpose(1, 2).flatten(2))
