import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, C, d):
        super().__init__()
        self.key = nn.Linear(C, d, bias=False)
        self.query = nn.Linear(C, d, bias=False)
        self.value = nn.Linear(C, d, bias=False)

    def forward(self, x):
        T = x.shape[1]
        w = self.query(x) @ self.key(x).transpose(-2, -1) * self.key.out_features**-0.5
        return w.masked_fill(torch.ones(T, T).tril() == 0, float("-inf")).softmax(-1) @ self.value(x)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.heads = nn.ModuleList([Head(d_model, d_model // n_heads) for _ in range(n_heads)])
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        return self.proj(torch.cat([h(x) for h in self.heads], -1))
