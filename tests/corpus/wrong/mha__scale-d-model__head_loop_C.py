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
        tril = torch.tril(torch.ones(T, T))
        heads = []
        for i in range(self.n_heads):
            sl = slice(i * self.hd, (i + 1) * self.hd)
            wei = q[..., sl] @ k[..., sl].transpose(-2, -1) * C ** -0.5
            wei = F.softmax(wei.masked_fill(tril == 0, float("-inf")), dim=-1)
            heads.append(wei @ v[..., sl])
        return self.out(torch.cat(heads, dim=-1))
