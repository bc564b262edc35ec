import torch
import torch.nn as nn


def _split(x, h):
    b, t, c = x.shape
    return x.view(b, t, h, c // h).transpose(1, 2)


def _merge(x):
    b, h, t, d = x.shape
    return x.transpose(1, 2).contiguous().view(b, t, h * d)


def _causal(t, device):
    return torch.ones(t, t, dtype=torch.bool, device=device).tril()


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0, f"{d_model} is not divisible by {n_heads}"
        self.h = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        q, k, v = (_split(p, self.h) for p in self.qkv(x).chunk(3, dim=-1))
        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        s = s.masked_fill(~_causal(x.size(1), x.device), float("-inf"))
        return self.out(_merge(torch.softmax(s, dim=-1) @ v))
