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
        heads = []
        for _ in range(self.n_heads):
            s = (q[..., : self.hd] @ k[..., : self.hd].mT / self.hd ** 0.5).masked_fill(~keep, float("-inf"))
            heads.append(s.softmax(-1) @ v[..., : self.hd])
        return self.out(torch.cat(heads, dim=-1))
