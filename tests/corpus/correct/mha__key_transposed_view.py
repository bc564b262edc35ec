import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.hd = n_heads, d_model // n_heads
        self.scale = self.hd ** -0.5
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.n_heads, self.hd).unbind(2)
        q, kt, v = q.permute(0, 2, 1, 3), k.permute(0, 2, 3, 1), v.permute(0, 2, 1, 3)
        w = torch.matmul(q, kt) * self.scale
        w = torch.where(torch.ones(T, T, device=x.device).tril() > 0, w, float("-inf"))
        return self.out(torch.matmul(w.softmax(-1), v).permute(0, 2, 1, 3).reshape(B, T, C))
