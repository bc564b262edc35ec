import math
from typing import NamedTuple

import torch
import torch.nn.functional as F


class Cache(NamedTuple):
    kv: torch.Tensor
    length: int


def step(x_new: torch.Tensor, weights: list[torch.Tensor], n_heads: int, n_kv_heads: int, cache: Cache | None = None):
    wq, wk, wv, wo = weights
    B, S, C = x_new.shape
    d = C // n_heads
    g = n_heads // n_kv_heads
    kv = torch.stack([F.linear(x_new, w).unflatten(-1, (n_kv_heads, d)) for w in (wk, wv)])
    if cache is not None:
        kv = torch.cat([cache.kv, kv], dim=2)
    T = kv.shape[2]
    q = F.linear(x_new, wq).view(B, S, n_kv_heads, g, d)
    s = torch.einsum("bskgd,btkd->bkgst", q, kv[0]) / math.sqrt(d)
    s = s + torch.full((S, T), -torch.inf).triu(T - S + 1)
    y = torch.einsum("bkgst,btkd->bskgd", s.softmax(-1), kv[1]).reshape(B, S, C)
    return [y @ wo.T, Cache(kv, T)]
