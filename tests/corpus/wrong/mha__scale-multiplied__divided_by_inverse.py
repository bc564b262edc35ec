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
        scale = self.hd ** -0.5
        q, k, v = [t.reshape(B, T, self.n_heads, self.hd).permute(0, 2, 1, 3) for t in self.qkv(x).chunk(3, -1)]
        s = (q @ k.mT) / scale
        s = s + torch.full((T, T), float("-inf")).triu(1)
        return self.out((s.softmax(-1) @ v).permute(0, 2, 1, 3).reshape(B, T, C))
