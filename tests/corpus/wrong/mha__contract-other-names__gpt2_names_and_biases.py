import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, C, h):
        super().__init__()
        assert C % h == 0
        self.h = h
        self.c_attn = nn.Linear(C, 3 * C)
        self.c_proj = nn.Linear(C, C)

    def forward(self, x):
        b, n, _C = x.shape
        q, k, v = (t.view(b, n, self.h, -1).transpose(1, 2) for t in self.c_attn(x).chunk(3, -1))
        return self.c_proj(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, n, -1))
