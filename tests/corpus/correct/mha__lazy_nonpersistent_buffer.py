import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)
        self.register_buffer("_mask", torch.empty(0, 0, dtype=torch.bool), persistent=False)

    def _causal(self, T, device):
        if self._mask.size(0) < T or self._mask.device != device:
            self._mask = torch.ones(T, T, dtype=torch.bool, device=device).triu(1)
        return self._mask[:T, :T]

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.n_heads, C // self.n_heads).permute(2, 0, 3, 1, 4)
        s = (q * q.size(-1) ** -0.5) @ k.mT
        w = s.masked_fill(self._causal(T, x.device), float("-inf")).softmax(-1)
        return self.out((w @ v).transpose(1, 2).flatten(2))
