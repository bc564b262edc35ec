import numpy as np
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.hd = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = [t.view(B, T, self.h, self.hd).transpose(1, 2) for t in self.qkv(x).split(C, dim=-1)]
        bias = torch.from_numpy((1 - np.tri(T)) * -1e10)
        w = torch.softmax(q @ k.transpose(-2, -1) / self.hd ** 0.5 + bias, dim=-1)
        return self.out((w @ v).transpose(1, 2).reshape(B, T, C))
