import math
import torch


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    if n_heads % n_kv_heads != 0:
        raise ValueError("n_kv_heads must divide n_heads")
    B, T, C = x.shape
    d = C // n_heads
    g = n_heads // n_kv_heads
    q = (x @ wq.T).view(B, T, n_heads, d).transpose(1, 2)
    k = (x @ wk.T).view(B, T, n_kv_heads, d).transpose(1, 2)
    v = (x @ wv.T).view(B, T, n_kv_heads, d).transpose(1, 2)
    k = k.repeat_interleave(g, dim=2)
    v = v.repeat_interleave(g, dim=2)
    s = q @ k.transpose(-2, -1) / math.sqrt(d)
    m = torch.ones(T, T).tril().bool()
    s = s.masked_fill(~m, float("-inf"))
    a = s.softmax(-1)
    y = (a @ v).transpose(1, 2).contiguous().view(B, T, C)
    return y @ wo.T
