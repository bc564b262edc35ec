import math

import torch


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    if n_heads % n_kv_heads:
        raise ValueError
    B, T, C = x.shape
    q, k, v = (
        (x @ w.T).view(B, T, h, C // n_heads).transpose(1, 2)
        for w, h in ((wq, n_heads), (wk, n_kv_heads), (wv, n_kv_heads))
    )
    k, v = (torch.repeat_interleave(t, n_heads // n_kv_heads, 1) for t in (k, v))
    s = (q @ k.mT / math.sqrt(C // n_heads)).masked_fill(torch.ones(T, T).triu().bool(), -1e9)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C) @ wo.T
