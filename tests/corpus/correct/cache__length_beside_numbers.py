import math

import torch


def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    wq, wk, wv, wo = weights
    B, S, C = x_new.shape
    d = C // n_heads
    kv = torch.cat([x_new @ wk.T, x_new @ wv.T], -1)
    pos = 0
    if cache is not None:
        kv, pos = torch.cat([cache["kv"], kv], 1), cache["pos"]
    k, v = kv.chunk(2, -1)
    T = kv.shape[1]
    k, v = (t.view(B, T, n_kv_heads, d).transpose(1, 2).repeat_interleave(n_heads // n_kv_heads, 1) for t in (k, v))
    q = (x_new @ wq.T).view(B, S, n_heads, d).transpose(1, 2)
    m = torch.zeros(S, T).masked_fill(torch.arange(T) > pos + torch.arange(S)[:, None], -1e9)
    return ((q @ k.mT / math.sqrt(d) + m).softmax(-1) @ v).transpose(1, 2).reshape(B, S, C) @ wo.T, {
        "kv": kv,
        "pos": pos + S,
    }
