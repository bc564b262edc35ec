import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0
        self.n_heads, self.hd = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(C, dim=-1)
        keep = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
        total = torch.zeros_like(x)
        for i in range(self.n_heads):
            a, b = i * self.hd, (i + 1) * self.hd
            s = q[..., a:b] @ k[..., a:b].mT / self.hd ** 0.5
            head = s.masked_fill(~keep, -torch.inf).softmax(-1) @ v[..., a:b]
            total = total + head @ self.out.weight[:, a:b].T
        return total
