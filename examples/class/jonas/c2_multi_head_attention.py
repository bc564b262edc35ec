import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0
        self.h, self.d = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(C, dim=-1)
        q, k, v = (t.view(B, T, self.h, self.d).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / self.d**0.5
        visible = torch.ones(T, T, dtype=torch.bool).tril()
        weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
        y = weights @ v
        return self.out(y.reshape(B, T, C))
