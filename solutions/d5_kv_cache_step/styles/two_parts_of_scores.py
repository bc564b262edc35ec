"""Old and new keys are scored apart: the old ones need no mask, the new ones the usual triangle."""

import math

import torch


def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    wq, wk, wv, wo = weights
    B, S, C = x_new.shape
    d = C // n_heads

    def cut(t, n):
        return t.reshape(B, -1, n, d).permute(0, 2, 1, 3)

    def copies(t):
        return t[:, :, None].expand(-1, -1, n_heads // n_kv_heads, -1, -1).flatten(1, 2)

    q, k, v = cut(x_new @ wq.T, n_heads), cut(x_new @ wk.T, n_kv_heads), cut(x_new @ wv.T, n_kv_heads)
    scores = (q @ copies(k).mT).masked_fill(torch.ones(S, S).tril() == 0, -math.inf)
    if cache is not None:
        scores = torch.cat([q @ copies(cache[0]).mT, scores], dim=-1)
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    y = torch.softmax(scores / math.sqrt(d), dim=-1) @ copies(v)
    return y.permute(0, 2, 1, 3).reshape(B, S, C) @ wo.T, (k, v)
