import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, C, h):
        super().__init__()
        assert C % h == 0
        self.h = h
        self.qkv = nn.Linear(C, C, bias=False)
        self.out = nn.Linear(C, C, bias=False)

    def forward(self, x):
        b, n, _C = x.shape
        q = self.qkv(x).view(b, n, self.h, -1).transpose(1, 2)
        return self.out(F.scaled_dot_product_attention(q, q, q, is_causal=True).transpose(1, 2).reshape(b, n, -1))
