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
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        y = torch.zeros_like(x)
        for i in range(self.n_heads):
            sl = slice(i * self.hd, (i + 1) * self.hd)
            y[..., sl] = F.scaled_dot_product_attention(q[..., sl], k[..., sl], v[..., sl], is_causal=True)
        return self.out(y)
