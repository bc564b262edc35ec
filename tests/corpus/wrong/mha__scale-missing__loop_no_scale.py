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
        keep = torch.ones(T, T).tril()
        heads = []
        for i in range(self.n_heads):
            sl = slice(i * self.hd, (i + 1) * self.hd)
            s = (q[..., sl] @ k[..., sl].transpose(1, 2)).masked_fill(keep == 0, float("-inf"))
            heads.append(F.softmax(s, dim=-1) @ v[..., sl])
        return self.out(torch.cat(heads, -1))
