import math
import torch


def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    wq, wk, wv, wo = weights
    B, S, C = x_new.shape
    d = C // n_heads
    q = (x_new @ wq.T).view(B, S, n_heads, d).transpose(1, 2)
    k = (x_new @ wk.T).view(B, S, n_kv_heads, d).transpose(1, 2)
    v = (x_new @ wv.T).view(B, S, n_kv_heads, d).transpose(1, 2)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    cache = (k, v)
    T = k.shape[2]
    g = n_heads // n_kv_heads
    K, V = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = q @ K.mT / math.sqrt(d)
    hidden = torch.ones(S, T, dtype=torch.bool).triu(T - S + 1)
    s = s.masked_fill(hidden, -math.inf)
    y = (s.softmax(-1) @ V).transpose(1, 2).reshape(B, S, C)
    x_new.zero_()
    return y @ wo.T, cache
