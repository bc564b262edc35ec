import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, block=2):
        super().__init__()
        self.n_heads, self.block = n_heads, block
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        hd = C // self.n_heads
        q, k, v = self.qkv(x).view(B, T, 3, self.n_heads, hd).permute(2, 0, 3, 1, 4)
        pos = torch.arange(T, device=x.device)
        m = torch.full((B, self.n_heads, T, 1), float("-inf"), dtype=x.dtype, device=x.device)
        z = torch.zeros_like(m)
        acc = torch.zeros_like(q)
        for start in range(0, T, self.block):
            j = pos[start : start + self.block]
            s = q @ k[:, :, j].mT / hd ** 0.5
            s = s.masked_fill(j[None, :] > pos[:, None], float("-inf"))
            m_new = torch.maximum(m, s.amax(-1, keepdim=True))
            p = torch.exp(s - m_new)
            shift = torch.exp(m - m_new)
            z = z * shift + p.sum(-1, keepdim=True)
            acc = acc * shift + p @ v[:, :, j]
            m = m_new
        return self.out((acc / z).transpose(1, 2).reshape(B, T, C))
