import torch
from torch import nn


class Scores(nn.Module):
    def forward(self, q, k):
        return q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5


class Causal(nn.Module):
    def forward(self, s):
        T = s.shape[-1]
        return s.masked_fill(torch.ones(T, T, device=s.device).triu(1) > 0, float("-inf"))


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0
        self.n = n_heads
        self.qkv = nn.Linear(d_model, d_model * 3, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)
        self.attend = nn.Sequential(Causal(), nn.Softmax(dim=-1))
        self.scores = Scores()

    def forward(self, x):
        q, k, v = self.qkv(x).unflatten(-1, (3, self.n, -1)).permute(2, 0, 3, 1, 4)
        y = self.attend(self.scores(q, k)) @ v
        return self.out(y.transpose(1, 2).flatten(2))
