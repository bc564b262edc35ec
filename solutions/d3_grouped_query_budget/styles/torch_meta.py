import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads, bias):
        super().__init__()
        d_kv = d_model // n_heads * n_kv_heads
        self.q = nn.Linear(d_model, d_model, bias=bias)
        self.k, self.v = nn.Linear(d_model, d_kv, bias=bias), nn.Linear(d_model, d_kv, bias=bias)
        self.o = nn.Linear(d_model, d_model, bias=bias)


def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    with torch.device("meta"):
        layer = GroupedQueryAttention(d_model, n_heads, n_kv_heads, bias)
    return sum(p.numel() for p in layer.parameters())


def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    kv = torch.empty(n_layers, 2, batch, n_kv_heads, tokens, d_head, dtype=torch.int8, device="meta")
    return kv.numel() * bytes_per_number
