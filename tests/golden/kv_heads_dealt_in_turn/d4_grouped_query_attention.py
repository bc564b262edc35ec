import math

import torch


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    B, T, C = x.shape
    d = C // n_heads
    if n_heads % n_kv_heads:
        raise ValueError("n_heads must be a multiple of n_kv_heads")
    q = (x @ wq.T).view(B, T, n_heads, d).transpose(1, 2)
    k = (x @ wk.T).view(B, T, n_kv_heads, d).transpose(1, 2)
    v = (x @ wv.T).view(B, T, n_kv_heads, d).transpose(1, 2)
    k = k.repeat(1, n_heads // n_kv_heads, 1, 1)
    v = v.repeat(1, n_heads // n_kv_heads, 1, 1)
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(torch.ones(T, T).triu(1) == 1, float("-inf"))
    y = scores.softmax(dim=-1) @ v
    return y.transpose(1, 2).reshape(B, T, C) @ wo.T
