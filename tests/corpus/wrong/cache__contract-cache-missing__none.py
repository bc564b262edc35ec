import math
import torch


def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    wq, wk, wv, wo = weights
    B, S, C = x_new.shape
    d = C // n_heads
    g = n_heads // n_kv_heads
    q = (x_new @ wq.T).view(B, S, n_heads, d).transpose(1, 2)
    k = (x_new @ wk.T).view(B, S, n_kv_heads, d).transpose(1, 2)
    v = (x_new @ wv.T).view(B, S, n_kv_heads, d).transpose(1, 2)
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    new_cache = (k, v)
    T = k.shape[2]
    k = k.repeat_interleave(g, dim=1)
    v = v.repeat_interleave(g, dim=1)
    s = q @ k.transpose(-2, -1) / math.sqrt(d)
    m = torch.arange(T)[None, :] > torch.arange(past, T)[:, None]
    s = s.masked_fill(m, float("-inf"))
    a = s.softmax(-1)
    y = (a @ v).transpose(1, 2).reshape(B, S, C)
    return y @ wo.T, None
