import math
import torch


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    if n_heads % n_kv_heads:
        raise ValueError("groups")
    B, T, C = x.shape
    d = C // n_heads
    q = (x @ wq.T).view(B, T, n_heads, d).transpose(1, 2)
    k = (x @ wk.T).view(B, T, n_kv_heads, d).transpose(1, 2)
    v = (x @ wv.detach().T).view(B, T, n_kv_heads, d).transpose(1, 2)
    g = n_heads // n_kv_heads
    k = k.repeat_interleave(g, dim=1)
    v = v.repeat_interleave(g, dim=1)
    s = q @ k.mT / math.sqrt(d)
    s = s.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), -math.inf)
    y = s.softmax(-1) @ v
    return y.transpose(1, 2).reshape(B, T, C) @ wo.T
