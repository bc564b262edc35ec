import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = [t.view(B, T, self.n_heads, -1).transpose(1, 2) for t in self.qkv(x).split(C, -1)]
        s_kq = k @ q.mT / (C // self.n_heads) ** 0.5
        pos = torch.arange(T, device=x.device)
        s_kq = s_kq.masked_fill(pos[:, None] > pos[None, :], float("-inf"))
        w_kq = torch.softmax(s_kq, dim=-2)
        return self.out((w_kq.mT @ v).transpose(1, 2).reshape(B, T, C))
