import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.hd = d_model // n_heads
        self.heads = [nn.Linear(d_model, 3 * self.hd, bias=False) for _ in range(n_heads)]
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        ys = []
        for lin in self.heads:
            q, k, v = lin(x).chunk(3, dim=-1)
            ys.append(F.scaled_dot_product_attention(q, k, v, is_causal=True))
        return self.out(torch.cat(ys, dim=-1))
