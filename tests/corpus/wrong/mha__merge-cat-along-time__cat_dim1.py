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
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        keep = torch.ones(T, T).tril().bool()
        outs = []
        for i in range(self.n_heads):
            a, b = i * self.hd, (i + 1) * self.hd
            s = (q[..., a:b] @ k[..., a:b].mT / self.hd ** 0.5).masked_fill(~keep, float("-inf"))
            outs.append(s.softmax(-1) @ v[..., a:b])
        return self.out(torch.cat(outs, dim=1).reshape(B, T, C))
