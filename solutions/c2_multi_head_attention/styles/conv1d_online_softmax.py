import math

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, chunk=4):
        super().__init__()
        self.n_heads, self.chunk = n_heads, chunk
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def attend(self, q, k, v):
        """q, k, v (B, h, d, T); walks over the keys in chunks and never holds all scores at once."""
        d, T = q.shape[-2:]
        query = torch.arange(T)[:, None]
        top = torch.full_like(q[:, :, :1], -1e30)
        total, y = torch.zeros_like(top), torch.zeros_like(v)
        for start in range(0, T, self.chunk):
            key = torch.arange(start, min(start + self.chunk, T))
            scores = k[..., key].mT @ q / math.sqrt(d)
            scores = scores.masked_fill((key > query).T, -math.inf)
            new_top = torch.maximum(top, scores.amax(dim=-2, keepdim=True))
            e, keep = (scores - new_top).exp(), (top - new_top).exp()
            total = keep * total + e.sum(dim=-2, keepdim=True)
            y = keep * y + v[..., key] @ e
            top = new_top
        return y / total

    def forward(self, x):
        B, T, C = x.shape
        qkv = F.conv1d(x.mT, self.qkv.weight[:, :, None])
        qkv = qkv.view(B, 3, self.n_heads, C // self.n_heads, T).float()
        y = self.attend(qkv[:, 0], qkv[:, 1], qkv[:, 2]).to(x.dtype)
        return F.conv1d(y.reshape(B, C, T), self.out.weight[:, :, None]).mT
