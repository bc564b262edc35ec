import torch
import torch.nn.functional as F


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
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    return y.transpose(1, 2).reshape(B, S, C) @ wo.T, (k, v)
