import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def _fold(self, t):
        B, T, C = t.shape
        return t.reshape(B, T, self.n_heads, -1).permute(0, 2, 1, 3).reshape(B * self.n_heads, T, -1)

    def _unfold(self, t, B):
        _, T, hd = t.shape
        return t.reshape(B, self.n_heads, T, hd).permute(0, 2, 1, 3).reshape(B, T, self.n_heads * hd)

    def forward(self, x):
        q, k, v = (self._fold(t) for t in self.qkv(x).chunk(3, dim=-1))
        s = torch.bmm(q, k.transpose(1, 2)) / q.size(-1) ** 0.5
        n = s.size(-1)
        s = s.masked_fill(torch.ones(n, n, device=x.device).triu(1).bool(), float("-inf"))
        return self.out(self._unfold(torch.bmm(s.softmax(-1), v), x.size(0)))
