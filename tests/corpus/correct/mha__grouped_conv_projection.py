import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        channels_first = F.conv1d(x.transpose(1, 2), self.qkv.weight.unsqueeze(-1))
        q, k, v = channels_first.view(B, 3, self.n_heads, C // self.n_heads, T).unbind(1)
        s = torch.einsum("bhdq,bhdk->bhqk", q, k) / (C // self.n_heads) ** 0.5
        s = s.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), float("-inf"))
        y = torch.einsum("bhqk,bhdk->bhdq", s.softmax(-1), v).reshape(B, C, T)
        return self.out(y.transpose(1, 2))
