import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def _heads(self, t):
        return torch.stack(t.chunk(self.n_heads, -1), 0)

    def forward(self, x):
        q, k, v = map(self._heads, self.qkv(x).chunk(3, -1))
        T, hd = q.shape[-2:]
        s = q @ k.mT * hd ** -0.5
        s = s + torch.log(torch.ones(T, T, dtype=s.dtype, device=s.device).tril())
        return self.out(torch.cat((s.softmax(-1) @ v).unbind(0), -1))
